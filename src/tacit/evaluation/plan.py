"""How many rows, which learner, what is impossible: a power calculation for private learning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tacit.concepts.concept_class import ConceptClass
from tacit.concepts.specification import as_class
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.search import least
from tacit.evaluation.impossible import impossible
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.listing import Listing, Request
from tacit.theory.baseline import without_privacy
from tacit.theory.lower_bounds import LowerBound

Question = Literal["n", "alpha", "epsilon"]
ALPHAS = 10**4
"""Accuracies are sought in steps of 1/10^4."""
EPSILONS = 10**3
LARGEST_EPSILON = 10**2


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
) -> Plan:
    """Solve for the one of n, alpha and epsilon that is left out.

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
    if missing == ["n"]:
        assert alpha is not None
        assert epsilon is not None
        goal = build(alpha, epsilon)
        offers = offers_for(goal)
        free = [offer.n for offer in offers if not offer.assumes]
        return _plan("n", min(free, default=None), goal, offers)
    rows = check.count(n=n or 0, least=1)
    if missing == ["alpha"]:
        assert epsilon is not None
        return _solved(
            "alpha", rows, lambda i: build(Fraction(i, ALPHAS), epsilon), ALPHAS // 2, ALPHAS
        )
    assert alpha is not None
    return _solved(
        "epsilon",
        rows,
        lambda i: build(alpha, Fraction(i, EPSILONS)),
        LARGEST_EPSILON * EPSILONS,
        EPSILONS,
    )


def offers_for(goal: Goal) -> tuple[Offer, ...]:
    """Return what each learner that is for this goal needs, cheapest first."""
    found = (_offer(listing, goal) for listing in CATALOGUE.values())
    return tuple(sorted((o for o in found if o is not None), key=lambda o: (o.n, o.name)))


def _offer(listing: Listing, goal: Goal) -> Offer | None:
    if goal.proper and not listing.proper:
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
    except (InvalidArgument, TooLarge):
        return None
    if learner.largest_sample is not None and n > learner.largest_sample:
        return None
    return Offer(listing.name, n, goal, learner.proper, learner.theorem, listing.assumes)


def _solved(
    question: Question, rows: int, goal_at: Callable[[int], Goal], last: int, scale: int
) -> Plan:
    """Find, for each learner, the least number that its rows are enough for; then the best."""
    found: list[tuple[int, Offer]] = []
    end = last
    for listing in CATALOGUE.values():
        skipped = listing.assumes or listing.beaten_by
        offer = None if skipped else _offer(listing, goal_at(end - 1))
        if offer is None or offer.n > rows:
            continue

        def fits(i: int, listing: Listing = listing) -> bool:
            offered = _offer(listing, goal_at(i))
            return offered is not None and offered.n <= rows

        place = _descend(fits, end - 1)
        chosen = _offer(listing, goal_at(place))
        assert chosen is not None
        found.append((place, chosen))
        end = min(end, place + 1)
    if not found:
        hardest = goal_at(last - 1)
        return _plan(question, None, hardest, offers_for(hardest))
    best = min(place for place, _ in found)
    goal = goal_at(best)
    return _plan(question, Fraction(best, scale), goal, offers_for(goal))


def _descend(fits: Callable[[int], bool], end: int) -> int:
    """Return the least number from 1 to `end` that fits, given that `end` does."""
    return end - _last_step(lambda step: fits(end - step), end - 1)


def _last_step(holds: Callable[[int], bool], most: int) -> int:
    """Return the greatest step up to `most` that holds, for what holds up to some step."""
    return least(lambda step: step > most or not holds(step)) - 1


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
