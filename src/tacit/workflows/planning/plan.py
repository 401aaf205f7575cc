"""How many rows, which learner, what is impossible: a power calculation for private learning."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import as_class
from tacit.core import Exact, InvalidArgument, check
from tacit.core.budget import read_best_error
from tacit.core.numbers.exact import told
from tacit.core.numbers.shown import sheet
from tacit.core.unit import Neighbours, Unit
from tacit.learners.catalogue import CATALOGUE
from tacit.theory.enough.without_privacy import without_privacy
from tacit.theory.impossible.lower_bound import LowerBound
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible, impossible_below, strongest
from tacit.workflows.planning.offers import EVERYBODY, Offer, asked, offered, ranked, suits
from tacit.workflows.planning.reach import LAST, reach

Unknown = Literal["n", "alpha", "epsilon"]
LEAST = {"alpha": Fraction(1, 10**9), "beta": Fraction(1, 10**30), "delta": Fraction(1, 10**30)}
"""Errors and failures, but for 0, that plans are made for."""
SMALLEST, LARGEST = Fraction(1, 10**12), LAST["epsilon"]
"""Budgets that plans are made for."""
MOST = 10**9
"""Labels that are planned for."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A learner, and what binds learners like it: the rows that it needs and that all need."""

    offer: Offer
    bound: LowerBound

    @property
    def ratio(self) -> float:
        """How many times the rows that are proved necessary the learner needs: never below 1."""
        return self.offer.n / self.bound.n


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer to one question, with every learner that applies, cheapest first.

    Learners that assume something about the points are listed, but do not decide the answer. It is
    None if no learner of ours can promise it at all. `too_large` says of learners that apply why
    they cannot be planned, or run: something about the class, the budget or the rows is too large.
    """

    question: Unknown
    answer: int | Fraction | None
    goal: Goal
    offers: tuple[Offer, ...]
    nonprivate_n: int
    lower_bounds: tuple[LowerBound, ...]
    too_large: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> Offer | None:
        """The learner with the fewest rows, of those that assume nothing."""
        return next((offer for offer in self.offers if offer.decides), None)

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, what is impossible, and every learner."""
        best = "no learner here can promise this" if self.best is None else self.best.name
        answer = self.answer if self.answer is None or self.question == "n" else float(self.answer)
        facts: dict[str, object] = {self.question: answer, "by": best}
        facts["without privacy"] = f"{self.nonprivate_n} rows"
        for bound in self.lower_bounds:  # the strongest of a kind is told first
            facts.setdefault(f"needed by {bound.applies_to}", f"{bound.n} rows")
        rows = [
            (each.name, each.n, "proper" if each.proper else "improper", each.theorem, each.assumes)
            for each in self.offers
        ]
        head = ("learner", "rows", "hypothesis", "theorem", "if")
        return sheet(f"Plan for {told(self.goal.concepts)}", facts, head, rows)

    @property
    def impossible_below(self) -> int:
        """So many rows that fewer are never enough, for any learner that the goal allows."""
        return impossible_below(self.goal)

    @property
    def gap(self) -> Gap | None:
        """The best learner beside the strongest bound that binds it: a proper one may bind it."""
        if self.best is None:
            return None
        bound = strongest(replace(self.goal, proper=self.best.proper))
        return None if bound is None else Gap(self.best, bound)

    @property
    def left_out(self) -> dict[str, str]:
        """Learners that apply and were not planned, each with one that never needs more rows."""
        return {
            each.name: each.beaten_by
            for each in CATALOGUE.values()
            if suits(each, self.goal) and not ranked(each, self.goal)
        }


def plan(
    concepts: ConceptClass[Any] | str,
    *,
    n: int | None = None,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    beta: Exact = "0.05",
    delta: Exact = 0,
    labels: int = 1,
    agnostic: bool = False,
    proper: bool = False,
    best_error: Exact | None = None,
    labels_only: bool = False,
    public: int = 0,
    neighbours: str = Neighbours.REPLACED,
    among: Collection[str] = EVERYBODY,
) -> Plan:
    """Solve for the one of n, alpha and epsilon that is left out, with the learners named.

    With `best_error` labels are arbitrary, and promises hold if no label's best rule errs more.
    With `labels_only` features are public: learners that protect whole rows are ranked beside the
    one that protects labels only, and bounds are for all of them. With `public` rows, which have
    no labels and are drawn as the others are, a learner is ranked too that is made from them. With
    `neighbours` "added" one row more or less is what must not be told apart, and n is secret:
    learners that offer that need about half the rows for privacy, where n rows are declared.

    >>> found = plan("thresholds(bits=32)", alpha=0.05, epsilon=1)
    >>> found.question, found.answer <= 1232, found.best.proper, found.impossible_below
    ('n', True, True, 113)
    >>> asked = {"alpha": 0.05, "epsilon": 1, "agnostic": True}
    >>> [plan("thresholds(bits=32)", **asked, best_error=e).answer for e in (None, 0.05)]
    [5537, 2189]
    >>> plan("thresholds(bits=32)", alpha=0.05, epsilon=1, neighbours="added").answer
    652
    """
    given = {"n": n, "alpha": alpha, "epsilon": epsilon}
    unknown: list[Any] = [name for name, value in given.items() if value is None]
    if len(unknown) != 1:
        raise InvalidArgument("give two of n, alpha and epsilon: the third is what is solved for")
    goal = goal_of(
        concepts,
        alpha=alpha,
        epsilon=epsilon,
        beta=beta,
        delta=delta,
        labels=labels,
        agnostic=agnostic,
        proper=proper,
        best_error=best_error,
        labels_only=labels_only,
        public=public,
        neighbours=neighbours,
    )
    rows = 0 if n is None else check.count(n=n, least=1)
    return solve(unknown[0], goal, rows, among)


def goal_of(
    concepts: ConceptClass[Any] | str,
    *,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    beta: Exact = "0.05",
    delta: Exact = 0,
    labels: int = 1,
    agnostic: bool = False,
    proper: bool = False,
    best_error: Exact | None = None,
    labels_only: bool = False,
    public: int = 0,
    neighbours: str = Neighbours.REPLACED,
) -> Goal:
    """Read a goal and check that it can be planned for; what is None has its easiest value."""
    unit = Unit((), neighbours)
    if unit.added and labels_only:
        raise InvalidArgument("labels are replaced (--labels-only), and not added: leave out one")
    return Goal(
        as_class(concepts, planned=True),
        LAST["alpha"] if alpha is None else _below_half(alpha),
        _planned(check.probability, beta=beta),
        LAST["epsilon"] if epsilon is None else _budget(epsilon),
        _planned(check.small_probability, delta=delta),
        check.count(labels=labels, least=1, up_to=MOST),
        agnostic or best_error is not None,
        proper,
        best_error=None if best_error is None else read_best_error(best_error),
        labels_only=labels_only,
        public=check.count(public=public, up_to=MOST),
        neighbours=unit.neighbours,
    )


def solve(unknown: Unknown, goal: Goal, rows: int = 0, among: Collection[str] = EVERYBODY) -> Plan:
    """Answer a question by the learners named, in whose goal the unknown has any value.

    If no learner can promise it with so many rows, the plan is for the unknown's easiest value.
    """
    answer: int | Fraction | None = None
    if unknown != "n":
        found = reach(unknown, goal, rows, among)
        answer = None if found is None else getattr(found.goal, unknown)
        goal = goal.at(unknown, LAST[unknown]) if found is None else found.goal
    answers = [asked(name, goal) for name in among if ranked(CATALOGUE[name], goal)]
    offers = offered(answers, goal)
    made = Plan(
        question=unknown,
        answer=answer,
        goal=goal,
        offers=offers,
        nonprivate_n=_nonprivate(goal, offers),
        lower_bounds=impossible(goal),
        too_large={each.entry.name: each.too_large for each in answers if each.too_large},
    )
    return made if unknown != "n" or made.best is None else replace(made, answer=made.best.n)


def _nonprivate(goal: Goal, offers: tuple[Offer, ...]) -> int:
    """Return the rows that are enough without privacy: never more than with it."""
    rows = without_privacy(
        goal.concepts,
        goal.accuracy,
        labels=goal.labels,
        agnostic=goal.agnostic,
        best_error=goal.best_error,
    )
    return min([rows, *(offer.n for offer in offers if offer.decides)])


def _planned(read: Callable[..., Fraction], **named: Exact) -> Fraction:
    ((name, given),) = named.items()
    value, least = read(**named), LEAST[name]
    if 0 < value < least:
        raise InvalidArgument(
            f"{name} must be at least {float(least):g} to be planned for, got {given}"
        )
    return value


def _below_half(alpha: Exact) -> Fraction:
    if not 0 < 2 * check.exact(alpha=alpha) < 1:
        raise InvalidArgument(
            f"alpha must lie between 0 and 1/2, got {alpha}: guessing errs 1/2 already"
        )
    return _planned(check.probability, alpha=alpha)


def _budget(epsilon: Exact) -> Fraction:
    value = check.positive(epsilon=epsilon)
    if not SMALLEST <= value <= LARGEST:
        raise InvalidArgument(
            f"epsilon must lie between {float(SMALLEST):g} and {LARGEST} to be planned for, got "
            f"{epsilon}: less is lost in any number of rows, more is no privacy; plan for these"
        )
    return value
