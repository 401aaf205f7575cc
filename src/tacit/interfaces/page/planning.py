"""The Plan page: what is needed by each learner, and what no learner can do.

The first answer uses learners that are known to be quick; the others are asked for one by one, and
may only improve it. Curves are drawn through numbers that were computed; no number is interpolated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.interfaces.page.families import PLANNED, specification
from tacit.interfaces.page.reproducing import command, python
from tacit.interfaces.page.serving.fields import Fields
from tacit.learners.catalogue import CATALOGUE
from tacit.theory.impossible.lower_bounds import LowerBound
from tacit.workflows.planning.advice import ways_out
from tacit.workflows.planning.impossible import impossible
from tacit.workflows.planning.plan import Goal, Plan, offers_for, plan

Tell = Callable[[str], None]
ALPHAS = ("0.005", "0.01", "0.02", "0.04", "0.08", "0.12", "0.2", "0.3", "0.45")
EPSILONS = ("0.05", "0.1", "0.25", "0.5", "1", "2", "3", "5", "10")
QUESTIONS = ("n", "alpha", "epsilon")
FIRST_TIME, LATER_TIME = 0.08, 3.0
"""Seconds after which no further learner, and no further point of a curve, is begun."""

SKETCH = 3
"""So many points of a curve are computed in any case, once its learner is asked by itself."""

SMALL = Fraction(1, 10)


def first(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Answer by the learners named, and draw what is impossible."""
    request = _request(asked)
    started = time.perf_counter()
    named = asked.texts("learners", most=len(CATALOGUE)) or ["generic"]
    found: list[dict[str, Any]] = []
    for name in map(_learner, named):
        if found and time.perf_counter() > started + FIRST_TIME:
            break
        found.append(_result(request, name, started + FIRST_TIME, least=0))
    goal = _goal(request, found)
    return {
        "results": found,
        "pending": _pending(request, found),
        "nonprivate_n": _solved(_key(request, "generic")).nonprivate_n,
        "lower_bounds": [
            {"name": b.name, "n": b.n, "theorem": b.theorem, "applies_to": b.applies_to}
            for b in _bounds(goal)
        ],
        "axis": _axis(request),
        "impossible": [[float(x), never(_at(request, x))] for x in _grid(request)],
        "command": command(request),
        "python": python(request),
    }


def one(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Answer by one learner, however long it takes."""
    request = _request(asked)
    name = _learner(asked.text("learner"))
    return _result(request, name, time.perf_counter() + LATER_TIME, least=SKETCH)


def advice(asked: Fields, tell: Tell) -> dict[str, Any]:  # noqa: ARG001
    """Say what to change when there are too few rows."""
    request = _request(asked)
    if request["question"] != "n":
        raise InvalidArgument("ways out are told for a wanted error and privacy; ask for rows")
    have = asked.whole("have", 1, 10**9)
    goal = _goal(request, [])
    return {"ways": [{"change": way.change, "n": way.n} for way in ways_out(goal, have)]}


def never(goal: Goal) -> int:
    """Return so many rows that fewer are never enough, for any learner that the goal allows."""
    others = ("expected",) if goal.proper else ("expected", "proper")
    bounds = [b.n for b in _bounds(goal) if not any(word in b.applies_to for word in others)]
    return max(bounds, default=0)


@lru_cache(maxsize=4096)
def _bounds(goal: Goal) -> tuple[LowerBound, ...]:
    return impossible(goal)


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


def _eligible(request: dict[str, Any]) -> list[str]:
    """Return the learners that are for such a class and budget at all."""
    family = request["spec"].partition("(")[0]
    return [
        each.name
        for each in CATALOGUE.values()
        if (not each.families or family in each.families)
        and (each.pure or Fraction(request["delta"]) > 0)
        and (each.agnostic or not request["agnostic"])
        and (each.proper or not request["proper"])
    ]


def _pending(request: dict[str, Any], found: list[dict[str, Any]]) -> list[str]:
    """Return the learners that are still to be asked, first those whose curve is not whole."""
    begun = [each["learner"] for each in found]
    unfinished = [
        each["learner"] for each in found if each["rows"] is not None and not each["whole"]
    ]
    return unfinished + [name for name in _eligible(request) if name not in begun]


def _key(request: dict[str, Any], name: str) -> tuple[tuple[str, Any], ...]:
    return (*sorted(request.items()), ("among", name))


@lru_cache(maxsize=4096)
def _solved(key: tuple[tuple[str, Any], ...]) -> Plan:
    asked = dict(key)
    del asked["question"]
    concepts, among = _concepts(asked.pop("spec")), (asked.pop("among"),)
    return plan(concepts, among=among, **asked)


@lru_cache(maxsize=64)
def _concepts(spec: str) -> Any:
    return parse(spec)


def _result(request: dict[str, Any], name: str, end: float, *, least: int) -> dict[str, Any]:
    """Return what one learner needs, and its curve as far as there is time for it."""
    begun = time.perf_counter()
    found = _solved(_key(request, name))
    spent = time.perf_counter() - begun
    offer = next(iter(found.offers), None)
    answer = found.answer
    points, whole = _points(request, name, end, least) if offer else ([], True)
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
    request: dict[str, Any], name: str, end: float, least: int
) -> tuple[list[tuple[float, int]], bool]:
    """Return points of a learner's curve, its middle and ends first, and whether it is whole."""
    grid = _grid(request)
    found: list[tuple[float, int]] = []
    for done, i in enumerate((4, 0, 8, 2, 6, 1, 3, 5, 7)):
        if done >= least and time.perf_counter() > end:
            return sorted(found), False
        rows = _needed(_key(_with(request, grid[i]), name))
        if rows is not None:
            found.append((float(grid[i]), rows))
    return sorted(found), True


@lru_cache(maxsize=1 << 15)
def _needed(key: tuple[tuple[str, Any], ...]) -> int | None:
    asked = dict(key)
    among = (asked.pop("among"),)
    found = offers_for(_goal_of(asked), among)
    return found[0].n if found else None


def _axis(request: dict[str, Any]) -> str:
    return "epsilon" if request["question"] == "epsilon" else "alpha"


def _grid(request: dict[str, Any]) -> tuple[str, ...]:
    return EPSILONS if _axis(request) == "epsilon" else ALPHAS


def _with(request: dict[str, Any], x: str) -> dict[str, Any]:
    """Return the same request for rows, at one place of the curve."""
    changed = {name: value for name, value in request.items() if name != "n"}
    return changed | {"question": "n", _axis(request): x}


@lru_cache(maxsize=4096)
def _goal_at(key: tuple[tuple[str, Any], ...]) -> Goal:
    return _goal_of(dict(key))


def _at(request: dict[str, Any], x: str) -> Goal:
    return _goal_at(tuple(sorted(_with(request, x).items())))


def _goal_of(asked: dict[str, Any]) -> Goal:
    return Goal(
        _concepts(asked["spec"]),
        alpha=Fraction(asked["alpha"]),
        beta=Fraction(asked["beta"]),
        epsilon=Fraction(asked["epsilon"]),
        delta=Fraction(asked["delta"]),
        labels=asked["labels"],
        agnostic=asked["agnostic"],
        proper=asked["proper"],
    )


def _goal(request: dict[str, Any], found: list[dict[str, Any]]) -> Goal:
    """Return the goal that is asked for, with what was solved for filled in."""
    question = request["question"]
    if question == "n":
        return _goal_of(request)
    answers = [each["answer"] for each in found if each["answer"] is not None]
    fallback = {"alpha": ALPHAS[-1], "epsilon": EPSILONS[-1]}[question]
    return _goal_of(request | {question: str(min(answers)) if answers else fallback})


def _sentence(found: Plan) -> str:
    """Say in plain words what this learner can promise."""
    goal = found.goal
    if found.answer is None:
        return (
            "No learner here can promise this. Allow more error, give more ε, or bring more rows."
        )
    many = "" if goal.labels == 1 else f" for all {goal.labels} labels at once"
    below = never(goal)
    rows = next(iter(found.offers)).n
    promise = (
        f"the learned rule errs on at most {_percent(goal.alpha)} of new cases"
        f"{' more than the best rule would' if goal.agnostic else ''}{many}, "
        f"except with probability {_percent(goal.beta)}"
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
    return f"{float(100 * share):.3g} %"
