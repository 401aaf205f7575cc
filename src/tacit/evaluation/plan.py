"""How many rows, which learner, what is impossible: a power calculation for private learning."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from tacit.concepts.concept_class import ConceptClass
from tacit.concepts.specification import as_class
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.exact import Exact
from tacit.core.privacy import Privacy
from tacit.evaluation.decimals import decimal, least_decimal, place_of
from tacit.evaluation.impossible import impossible
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.listing import Listing, Request
from tacit.theory.baseline import without_privacy
from tacit.theory.lower_bounds import LowerBound

Question = Literal["n", "alpha", "epsilon"]
FINEST = 9
"""Accuracies and budgets are sought among decimals of four digits from 10^-9 on."""
LARGEST_ALPHA = Fraction(4999, 10**4)
LARGEST_EPSILON = Fraction(10**2)
SMALLEST, LARGEST = Fraction(1, 10**12), 500
"""Budgets that plans are made for."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What is asked for: error at most alpha above the best, for all of k labels, but for beta."""

    concepts: ConceptClass[Any]
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    labels: int = 1
    agnostic: bool = False
    proper: bool = False

    @property
    def accuracy(self) -> Accuracy:
        """The accuracy for all labels at once."""
        return Accuracy(self.alpha, self.beta)


@dataclass(frozen=True, slots=True)
class Offer:
    """One learner, with the rows it needs and what it then promises, if what it assumes holds."""

    name: str
    n: int
    goal: Goal
    proper: bool
    theorem: str
    assumes: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer to one question, with every learner that applies, cheapest first.

    Learners that assume something about the points are listed, but do not decide the answer. It is
    None if no learner of ours can promise it at all.
    """

    question: Question
    answer: int | Fraction | None
    goal: Goal
    offers: tuple[Offer, ...]
    nonprivate_n: int
    lower_bounds: tuple[LowerBound, ...]

    @property
    def best(self) -> Offer | None:
        """The learner with the fewest rows, of those that assume nothing."""
        return next((offer for offer in self.offers if not offer.assumes), None)


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
    among: Collection[str] = tuple(CATALOGUE),
) -> Plan:
    """Solve for the one of n, alpha and epsilon that is left out, with the learners named.

    >>> found = plan("thresholds(bits=32)", alpha=0.05, epsilon=1)
    >>> found.question, found.answer <= 1232, found.best.proper
    ('n', True, True)
    """
    given = {"n": n, "alpha": alpha, "epsilon": epsilon}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        raise InvalidArgument("give two of n, alpha and epsilon: the third is what is solved for")
    build = _Builder(
        as_class(concepts),
        beta=check.probability(beta=beta),
        delta=check.small_probability(delta=delta),
        labels=check.count(labels=labels, least=1),
        agnostic=agnostic,
        proper=proper,
    )
    if alpha is not None and not 0 < 2 * check.exact(alpha=alpha) < 1:
        raise InvalidArgument(
            f"alpha must lie between 0 and 1/2, got {alpha}: guessing errs 1/2 already"
        )
    if epsilon is not None and not SMALLEST <= check.positive(epsilon=epsilon) <= LARGEST:
        raise InvalidArgument(
            f"epsilon must lie between {float(SMALLEST):g} and {LARGEST} to be planned for, got "
            f"{epsilon}: less is lost in any number of rows, more is no privacy; plan for these"
        )
    if missing == ["n"]:
        assert alpha is not None
        assert epsilon is not None
        goal = build(alpha, epsilon)
        offers = offers_for(goal, among)
        free = [offer.n for offer in offers if not offer.assumes]
        return _plan("n", min(free, default=None), goal, offers)
    rows = check.count(n=n or 0, least=1)
    if missing == ["alpha"]:
        assert epsilon is not None
        return _solved("alpha", rows, lambda each: build(each, epsilon), LARGEST_ALPHA, among)
    assert alpha is not None
    return _solved("epsilon", rows, lambda each: build(alpha, each), LARGEST_EPSILON, among)


def offers_for(goal: Goal, among: Collection[str] = tuple(CATALOGUE)) -> tuple[Offer, ...]:
    """Return what each learner of those named that is for this goal needs, cheapest first."""
    found = (_offer(CATALOGUE[name], goal) for name in among if _counts(CATALOGUE[name], goal))
    return tuple(sorted((o for o in found if o is not None), key=lambda o: (o.n, o.name)))


def _counts(listing: Listing, goal: Goal) -> bool:
    """Whether a learner is worth planning: not if another is known to need no more rows.

    With one label, those that it takes long to plan are still planned, for comparison; a cover for
    all labels is for more than one of them.
    """
    return not listing.beaten_by if goal.labels > 1 else listing.name != "shared-cover"


def _offer(listing: Listing, goal: Goal) -> Offer | None:
    if listing.wrapper or (goal.proper and not listing.proper):
        return None
    request = Request(
        goal.concepts,
        Privacy(goal.epsilon, goal.delta),
        1,
        goal.alpha,
        goal.beta / goal.labels,
        goal.agnostic,
        goal.labels,
    )
    try:
        learner = listing(request)
        n = learner.sample_size(goal.accuracy)
    except (InvalidArgument, OverflowError, TooLarge):
        return None
    if learner.largest_sample is not None and n > learner.largest_sample:
        return None
    return Offer(listing.name, n, goal, learner.proper, learner.theorem, listing.assumes)


def _solved(
    question: Question,
    rows: int,
    goal_at: Callable[[Fraction], Goal],
    last: Fraction,
    among: Collection[str],
) -> Plan:
    """Find the least number of four digits that some learner's rows are enough for."""
    known: dict[tuple[str, int], Offer | None] = {}

    def excess(name: str, place: int) -> float:
        if (name, place) not in known:
            goal = goal_at(decimal(place, finest=FINEST))
            known[name, place] = _offer(CATALOGUE[name], goal)
        offer = known[name, place]
        return math.inf if offer is None else _ratio(offer.n, rows)

    end = place_of(float(last), finest=FINEST)
    best: int | None = None
    for name in among:
        listing = CATALOGUE[name]
        skipped = listing.assumes or listing.beaten_by or not _counts(listing, goal_at(last))
        start = end if best is None else best - 1
        if not skipped and start >= 0 and excess(name, start) <= 0:
            best = least_decimal(partial(excess, name), start, finest=FINEST)
    answer = None if best is None else decimal(best, finest=FINEST)
    goal = goal_at(decimal(end, finest=FINEST) if answer is None else answer)
    return _plan(question, answer, goal, offers_for(goal, among))


def _ratio(n: int, rows: int) -> float:
    """Return ln(n / rows), exact in its sign."""
    log = math.log(max(n, 1)) - math.log(rows)
    return min(log, -0.0) if n <= rows else max(log, 1e-15)


def _plan(
    question: Question, answer: int | Fraction | None, goal: Goal, offers: tuple[Offer, ...]
) -> Plan:
    nonprivate = without_privacy(
        goal.concepts, goal.accuracy, labels=goal.labels, agnostic=goal.agnostic
    )
    return Plan(question, answer, goal, offers, nonprivate, impossible(goal))


class _Builder:
    """Makes goals that differ in alpha and epsilon only."""

    def __init__(self, concepts: ConceptClass[Any], **fixed: Any) -> None:
        self.concepts = concepts
        self.fixed = fixed

    def __call__(self, alpha: Exact, epsilon: Exact) -> Goal:
        return Goal(
            self.concepts,
            check.probability(alpha=alpha),
            epsilon=check.positive(epsilon=epsilon),
            **self.fixed,
        )
