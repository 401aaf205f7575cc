"""How many rows, which learner, what is impossible: a power calculation for private learning."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import as_class
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Entry, Request
from tacit.theory.enough.without_privacy import without_privacy
from tacit.theory.impossible.lower_bounds import LowerBound
from tacit.workflows.planning.decimals import decimal, least_decimal, place_of
from tacit.workflows.planning.impossible import impossible

Question = Literal["n", "alpha", "epsilon"]
FINEST = 9
"""Accuracies and budgets are sought among decimals of four digits from 10^-9 on."""
LEAST, TINY = Fraction(1, 10**FINEST), Fraction(1, 10**30)
SMALLEST, LARGEST = Fraction(1, 10**12), 500
"""Budgets that plans are made for."""
MOST = 10**9
"""Labels that are planned for."""
LAST = {"alpha": Fraction(4999, 10**4), "epsilon": Fraction(LARGEST)}
LEFT_OUT = {
    "rec-concave-threshold": 2,
    "sanitized": 2,
    "simulated-local": 2,
    "stable-erm": 2,
    "voting-line": 2,
}
"""Learners that would take seconds to plan, from so many labels on; each is beaten by another."""
LATE = ("histogram", "shared-cover", "line")
"""Learners that are searched with last: each question takes long, and others leave few to ask."""


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
    None if no learner of ours can promise it at all. `too_large` says of learners that apply why
    they cannot be planned, or run: something about the class, the budget or the rows is too large.
    """

    question: Question
    answer: int | Fraction | None
    goal: Goal
    offers: tuple[Offer, ...]
    nonprivate_n: int
    lower_bounds: tuple[LowerBound, ...]
    too_large: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> Offer | None:
        """The learner with the fewest rows, of those that assume nothing."""
        return next((offer for offer in self.offers if not offer.assumes), None)

    @property
    def left_out(self) -> dict[str, str]:
        """Learners that apply and were not planned, each with one that never needs more rows."""
        listings = [CATALOGUE[name] for name in LEFT_OUT if not _counts(CATALOGUE[name], self.goal)]
        return {
            each.name: each.beaten_by
            for each in listings
            if each.suits(_request(self.goal)) and (each.proper or not self.goal.proper)
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
        labels=check.count(labels=labels, least=1, up_to=MOST),
        agnostic=agnostic,
        proper=proper,
    )
    if alpha is not None and not 0 < 2 * check.exact(alpha=alpha) < 1:
        raise InvalidArgument(
            f"alpha must lie between 0 and 1/2, got {alpha}: guessing errs 1/2 already"
        )
    for name, asked, least in (
        ("alpha", alpha, LEAST),
        ("beta", beta, TINY),
        ("delta", delta, TINY),
    ):
        if asked is not None and 0 < check.exact(**{name: asked}) < least:
            raise InvalidArgument(
                f"{name} must be at least {float(least):g} to be planned for, got {asked}"
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
        found = _plan("n", goal, [_asked(each, goal) for each in _planned(among, goal)])
        return replace(found, answer=None if found.best is None else found.best.n)
    rows = check.count(n=n or 0, least=1)
    if missing == ["alpha"]:
        assert epsilon is not None
        return _solved("alpha", rows, lambda each: build(each, epsilon), among)
    assert alpha is not None
    return _solved("epsilon", rows, lambda each: build(alpha, each), among)


def cheapest(goal: Goal, among: Iterable[str] = tuple(CATALOGUE)) -> Offer | None:
    """Return the learner that needs the fewest rows of those that assume nothing."""
    listings = [CATALOGUE[name] for name in among]
    free = [each for each in listings if not each.assumes and not each.beaten_by]
    return next(iter(_ranked(_asked(each, goal) for each in free)), None)


def offers_for(goal: Goal, among: Collection[str] = tuple(CATALOGUE)) -> tuple[Offer, ...]:
    """Return what each learner of those named that is for this goal needs, cheapest first."""
    return _ranked(_asked(each, goal) for each in _planned(among, goal))


class _Answer(NamedTuple):
    """What a learner says to a goal: an offer, unless it is not for it or something is too large.

    With the most rows that it takes.
    """

    name: str
    offer: Offer | None = None
    largest: int | None = None
    why: str = ""

    @property
    def too_large(self) -> str:
        """What is too large, if something is."""
        if self.offer is None or self.largest is None or self.offer.n <= self.largest:
            return self.why
        return f"it takes up to {self.largest} rows, and would need {self.offer.n}"


def _ranked(found: Iterable[_Answer]) -> tuple[Offer, ...]:
    offers = [each.offer for each in found if each.offer is not None and not each.too_large]
    return tuple(sorted(offers, key=lambda offer: (offer.n, offer.name)))


def _planned(among: Iterable[str], goal: Goal) -> list[Entry]:
    return [CATALOGUE[name] for name in among if _counts(CATALOGUE[name], goal)]


def _counts(listing: Entry, goal: Goal) -> bool:
    return goal.labels < LEFT_OUT.get(listing.name, goal.labels + 1)


def _request(goal: Goal) -> Request:
    return Request(
        goal.concepts,
        Privacy(goal.epsilon, goal.delta),
        1,
        goal.alpha,
        goal.beta / goal.labels,
        goal.agnostic,
        goal.labels,
    )


@lru_cache(maxsize=1 << 12)
def _asked(listing: Entry, goal: Goal) -> _Answer:
    """Ask a learner; advice asks for the same goal again."""
    if listing.wrapper or (goal.proper and not listing.proper):
        return _Answer(listing.name)
    try:
        learner = listing(_request(goal))
        n = learner.sample_size(goal.accuracy)
    except TooLarge as refusal:
        return _Answer(listing.name, why=str(refusal))
    except InvalidArgument:
        return _Answer(listing.name)
    offer = Offer(listing.name, n, goal, learner.proper, learner.theorem, listing.assumes)
    return _Answer(listing.name, offer, learner.largest_sample)


def reach(question: Literal["alpha", "epsilon"], goal: Goal, rows: int) -> Offer | None:
    """Return what some learner promises with so many rows, for the least alpha or epsilon.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> found = reach("alpha", goal, 600)
    >>> found.name, float(found.goal.alpha), found.n
    ('generic', 0.09769, 600)
    """

    def goal_at(value: Fraction) -> Goal:
        return replace(goal, alpha=value) if question == "alpha" else replace(goal, epsilon=value)

    search = _Search(rows, goal_at)
    name, place = search.best(CATALOGUE, LAST[question])
    return search.asked(name, place).offer if name else None


def _solved(
    question: Literal["alpha", "epsilon"],
    rows: int,
    goal_at: Callable[[Fraction], Goal],
    among: Collection[str],
) -> Plan:
    """Find the least number of four digits that some learner's rows are enough for."""
    search = _Search(rows, goal_at)
    name, place = search.best(among, LAST[question])
    value = decimal(place, finest=FINEST)
    goal = goal_at(value)
    found = _plan(question, goal, [search.asked(e.name, place) for e in _planned(among, goal)])
    return replace(found, answer=value if name else None)


class _Search:
    """What learners need for goals that differ in one number of four digits."""

    def __init__(self, rows: int, goal_at: Callable[[Fraction], Goal]) -> None:
        self.rows, self.goal_at = rows, goal_at
        self.known: dict[tuple[str, int], _Answer] = {}

    def asked(self, name: str, place: int) -> _Answer:
        """Return what a learner says there; ask once."""
        if (name, place) not in self.known:
            goal = self.goal_at(decimal(place, finest=FINEST))
            self.known[name, place] = _asked(CATALOGUE[name], goal)
        return self.known[name, place]

    def excess(self, name: str, place: int) -> float:
        """Return ln(n / rows) for a learner that needs n, exact in its sign."""
        said = self.asked(name, place)
        rows = min(self.rows, said.largest or self.rows)
        return math.inf if said.offer is None else _ratio(said.offer.n, rows)

    def best(self, among: Iterable[str], last: Fraction) -> tuple[str, int]:
        """Return the learner whose rows are enough for the least number, and that number's place.

        If there is none, the name is empty and the place is the last. Who is beaten by another, or
        assumes something, is not asked.
        """
        winner, place = "", place_of(float(last), finest=FINEST)
        for name in sorted(among, key=LATE.__contains__):
            listing = CATALOGUE[name]
            if not listing.assumes and not listing.beaten_by and self.excess(name, place) <= 0:
                found = least_decimal(partial(self.excess, name), place, finest=FINEST)
                winner, place = (name, found) if found < place or not winner else (winner, place)
        return winner, place


def _ratio(n: int, rows: int) -> float:
    """Return ln(n / rows), exact in its sign."""
    log = math.log(max(n, 1)) - math.log(rows)
    return min(log, -0.0) if n <= rows else max(log, 1e-15)


def _plan(question: Question, goal: Goal, said: Sequence[_Answer]) -> Plan:
    """Put together all but the answer."""
    nonprivate = without_privacy(
        goal.concepts, goal.accuracy, labels=goal.labels, agnostic=goal.agnostic
    )
    why = {each.name: each.too_large for each in said if each.too_large}
    return Plan(question, None, goal, _ranked(said), nonprivate, impossible(goal), why)


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
