"""The Plan page: what is needed by each learner, and what no learner can do.

The first answer uses learners that are known to be quick; the others are asked for one by one, and
may only improve it. Curves are drawn through numbers that were computed; no number is interpolated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.shown import at_most
from tacit.interfaces.output.promise import if_best
from tacit.interfaces.page.families import PLANNED, specification
from tacit.interfaces.page.reproducing import command, python
from tacit.interfaces.page.serving.fields import Fields
from tacit.learners.catalogue import CATALOGUE, USUAL
from tacit.workflows.planning.advice import ways_out
from tacit.workflows.planning.goal import Axis, Goal
from tacit.workflows.planning.impossible import impossible_below
from tacit.workflows.planning.offers import CONTENDERS, offers_for, ranked, suits
from tacit.workflows.planning.plan import Plan, Unknown, goal_of, solve

Tell = Callable[[str], None]
ALPHAS = ("0.005", "0.01", "0.02", "0.04", "0.08", "0.12", "0.2", "0.3", "0.45")
EPSILONS = ("0.05", "0.1", "0.25", "0.5", "1", "2", "3", "5", "10")
MIDDLE_FIRST = (4, 0, 8, 2, 6, 1, 3, 5, 7)
"""The order in which the nine places of a curve are computed."""
QUESTIONS = ("n", "alpha", "epsilon")
FIRST_TIME, LATER_TIME = 0.08, 3.0
"""Seconds after which no further learner, and no further point of a curve, is begun."""

SKETCH = 3
"""So many points of a curve are computed in any case, once its learner is asked by itself."""

SMALL = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class _Question:
    """What the page asks: the unknown, a goal in which it has any value, and the rows if given."""

    unknown: Unknown
    goal: Goal
    rows: int

    @classmethod
    def of(cls, request: dict[str, Any]) -> _Question:
        """Read what was typed."""
        given = dict(request)
        unknown, concepts, rows = given.pop("question"), given.pop("spec"), given.pop("n", 0)
        return cls(unknown, goal_of(concepts, **given), rows)

    @property
    def axis(self) -> Axis:
        """What curves are drawn over."""
        return "epsilon" if self.unknown == "epsilon" else "alpha"

    @property
    def curve(self) -> tuple[tuple[float, Goal], ...]:
        """The places of a curve, and what is asked there."""
        grid = EPSILONS if self.axis == "epsilon" else ALPHAS
        return tuple((float(x), self.goal.at(self.axis, Fraction(x))) for x in grid)


def first(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Answer by the learners named, and draw what is impossible."""
    request = _request(asked)
    question, end = _Question.of(request), time.perf_counter() + FIRST_TIME
    named = [_learner(each) for each in asked.texts("learners", most=len(CATALOGUE))] or [USUAL]
    found: list[dict[str, Any]] = []
    for name in named:
        if found and time.perf_counter() > end:
            break
        found.append(_result(question, name, end, least=0))
    plans = [_solved(question, each["learner"]) for each in found]
    best = min(plans, key=lambda plan: (plan.answer is None, plan.answer or 0))
    return {
        "results": found,
        "pending": _pending(question.goal, found),
        "nonprivate_n": best.nonprivate_n,
        "lower_bounds": [bound.facts for bound in best.lower_bounds],
        "axis": question.axis,
        "impossible": [[x, impossible_below(goal)] for x, goal in question.curve],
        "command": command(request),
        "python": python(request),
    }


def one(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Answer by one learner, however long it takes."""
    question, name = _Question.of(_request(asked)), _learner(asked.text("learner"))
    return _result(question, name, time.perf_counter() + LATER_TIME, least=SKETCH)


def other(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Answer the same for labels that no rule explains, or for those that one does."""
    request = _request(asked)
    if "best_error" in request:
        raise InvalidArgument("what the best rule errs is known: labels may be any")
    request["agnostic"] = not request["agnostic"]
    question = _Question.of(request)
    found = solve(question.unknown, question.goal, question.rows, CONTENDERS)
    answer, best = found.answer, found.best
    return {
        "agnostic": request["agnostic"],
        "answer": float(answer) if isinstance(answer, Fraction) else answer,
        "learner": None if best is None else best.name,
    }


def advice(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Say what to change when there are too few rows."""
    question = _Question.of(_request(asked))
    if question.unknown != "n":
        raise InvalidArgument("ways out are told for a wanted error and privacy; ask for rows")
    have = asked.whole("have", 1, 10**9)
    return {"ways": [asdict(way) for way in ways_out(question.goal, have)]}


def _request(asked: Fields) -> dict[str, Any]:
    """Read what is asked: two of n, alpha and epsilon, and what goes with them."""
    question = asked.choice("question", QUESTIONS)
    request: dict[str, Any] = {
        "question": question,
        "spec": specification(asked.object("class"), PLANNED),
        "beta": asked.number("beta", default="0.05"),
        "delta": asked.number("delta", default="0"),
        "labels": asked.whole("labels", 1, 64, default=1),
        "agnostic": asked.flag("agnostic"),
        "proper": asked.flag("proper"),
    }
    if (stated := asked.maybe("best_error")) is not None:
        request["best_error"] = stated
    if question != "n":
        request["n"] = asked.whole("n", 1, 10**9)
    for name in ("alpha", "epsilon"):
        if question != name:
            request[name] = asked.number(name)
    _check_ranges(request)
    return request


def _check_ranges(request: dict[str, Any]) -> None:
    ranges = {"alpha": ("0.001", "0.499"), "epsilon": ("0.01", "100"), "beta": ("1e-9", "0.5")}
    for name, (low, high) in ranges.items():
        if name in request and not Fraction(low) <= Fraction(request[name]) <= Fraction(high):
            raise InvalidArgument(f"{name} must lie between {low} and {high}")
    if not Fraction(request["delta"]) <= SMALL:
        raise InvalidArgument("delta must be at most 0.1; usual values are 0 and 1e-6")


def _learner(name: str) -> str:
    if name not in CATALOGUE:
        raise InvalidArgument(f"there is no learner {name[:40]!r}")
    return name


def _pending(goal: Goal, found: list[dict[str, Any]]) -> list[str]:
    """Return the learners that are still to be asked, first those whose curve is not whole."""
    begun = [each["learner"] for each in found]
    unfinished = [
        each["learner"] for each in found if each["rows"] is not None and not each["whole"]
    ]
    able = [each.name for each in CATALOGUE.values() if suits(each, goal) and ranked(each, goal)]
    return unfinished + [name for name in able if name not in begun]


@lru_cache(maxsize=4096)
def _solved(question: _Question, name: str) -> Plan:
    return solve(question.unknown, question.goal, question.rows, (name,))


def _result(question: _Question, name: str, end: float, *, least: int) -> dict[str, Any]:
    """Return what one learner needs, and its curve as far as there is time for it."""
    begun = time.perf_counter()
    found = _solved(question, name)
    spent = time.perf_counter() - begun
    offer, answer = next(iter(found.offers), None), found.answer
    points, whole = _points(question, name, end, least) if offer else ([], True)
    return {
        "learner": name,
        "answer": float(answer) if isinstance(answer, Fraction) else answer,
        "rows": None if offer is None else offer.n,
        "proper": None if offer is None else offer.proper,
        "theorem": None if offer is None else offer.theorem,
        "assumes": None if offer is None else offer.assumes or None,
        "sentence": _sentence(found),
        "points": points,
        "whole": whole,
        "seconds": spent,
    }


def _points(
    question: _Question, name: str, end: float, least: int
) -> tuple[list[tuple[float, int]], bool]:
    """Return points of a learner's curve, its middle and ends first, and whether it is whole."""
    curve, found = question.curve, list[tuple[float, int]]()
    for done, place in enumerate(MIDDLE_FIRST):
        if done >= least and time.perf_counter() > end:
            return sorted(found), False
        x, goal = curve[place]
        found += [(x, offer.n) for offer in offers_for(goal, (name,))]
    return sorted(found), True


def _sentence(found: Plan) -> str:
    """Say in plain words what this learner can promise."""
    goal = found.goal
    if found.answer is None:
        return (
            "No learner here can promise this. Allow more error, give more ε, or bring more rows."
        )
    many = "" if goal.labels == 1 else f" for all {goal.labels} labels at once"
    below = found.impossible_below
    rows = next(iter(found.offers)).n
    promise = (
        f"the learned rule errs on at most {_percent(goal.alpha)} of new cases"
        f"{' more than the best rule would' if goal.agnostic else ''}{many}, "
        f"except with probability {_percent(goal.beta)}{if_best(goal.best_error)}"
    )
    limit = f" No private learner can promise it with fewer than {below:,}." if below > 1 else ""
    if found.question == "n":
        return f"{rows:,} rows are enough. With them {promise}.{limit}"
    if found.question == "alpha":
        return f"An error of {_percent(goal.alpha)} can be promised: {promise}."
    return (
        f"A privacy budget of ε = {float(goal.epsilon):g} is enough: {promise}. "
        f"{_meaning(goal.epsilon)}"
    )


def _meaning(epsilon: Fraction) -> str:
    if epsilon <= 1:
        return "That is strong protection."
    return "That is moderate protection." if epsilon <= 4 else "That is weak protection."


def _percent(share: Fraction) -> str:
    return f"{at_most(100 * share)} %"
