"""Numbers for the cells of the papers' tables, with our constants and for given parameters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpz

from tacit.concepts.algebra.parities import Parities
from tacit.concepts.contract.concept_class import Bracket, ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.theory.enough.rank import rank_bound
from tacit.theory.impossible import lower_bounds
from tacit.theory.papers.tables import Cell

SINGLE = "pure_learning"
"""The table for one label; the others are for k."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the numbers are for: k labels over 2^bits points, or so many dimensions."""

    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction
    labels: int
    bits: int

    def __init__(
        self,
        *,
        alpha: Exact = "0.1",
        beta: Exact = "0.1",
        epsilon: Exact = 1,
        delta: Exact = "1e-6",
        labels: int = 8,
        bits: int = 16,
    ) -> None:
        hold(self).probability(alpha=alpha, beta=beta).positive(epsilon=epsilon)
        hold(self).probability(delta=delta).count(labels=labels, bits=bits, least=1)
        if 2 * self.alpha >= 1:
            raise InvalidArgument(f"alpha must lie between 0 and 1/2, got {alpha}")


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a cell, or two that it lies between, or why there is none; and whose it is."""

    spec: str
    value: int | None = None
    between: tuple[int, int] | None = None
    by: str = ""
    theorem: str = ""
    why: str = ""


def number(cell: Cell, given: Parameters, *, labels: int) -> Number:
    """Put a number on a cell.

    >>> from tacit.theory.papers.tables import table
    >>> cell = table("pure_learning").cells[8]
    >>> found = number(cell, Parameters(bits=8), labels=1)
    >>> cell.row, cell.column, found.value, found.by
    ('points, proper', 'pure, upper', 193, 'generic')
    """
    bits = given.bits
    sizes = {"bits": bits, "bits3": min(bits, 3), "bits8": min(bits, 8), "prime": _prime(bits)}
    spec = cell.spec.format(**sizes)
    try:
        concepts = parse(spec)
        if cell.side == "value":
            return _dimension(spec, concepts, cell.column)
        if cell.side == "lower":
            return _lower(spec, concepts, cell, given, labels)
    except (InvalidArgument, TooLarge) as refusal:
        return Number(spec, why=str(refusal))
    delta = given.delta if cell.privacy == "approximate" else Fraction(0)
    privacy = Privacy(given.epsilon, delta)
    accuracy = Accuracy(given.alpha, given.beta)
    found = [
        (n, name)
        for n, name, proper in _offers(spec, privacy, accuracy, labels, cell.agnostic, cell.assumes)
        if proper or not cell.proper
    ]
    if not found:
        return Number(spec, why="no learner of ours promises this")
    n, name = min(found)
    return Number(spec, n, by=name, theorem=CATALOGUE[name].theorem)


@lru_cache(maxsize=256)
def _offers(
    spec: str,
    privacy: Privacy,
    accuracy: Accuracy,
    labels: int,
    agnostic: bool,  # noqa: FBT001
    assumes: str,
) -> tuple[tuple[int, str, bool], ...]:
    """Return rows, name and properness of the learners; an assumption is granted to some.

    It is to those made for the class: covers of any class take long to find, and gain little.
    """
    request = Request(
        parse(spec), privacy, 1, accuracy.alpha, accuracy.beta / labels, agnostic, labels
    )
    found = []
    for listing in CATALOGUE.values():
        granted = listing.families and listing.assumes.startswith(assumes or "-")
        if listing.beaten_by or (listing.assumes and not granted):
            continue
        try:
            learner = listing(request)
            n = learner.sample_size(accuracy)
        except (InvalidArgument, TooLarge):
            continue
        if learner.largest_sample is None or n <= learner.largest_sample:
            found.append((n, listing.name, learner.proper))
    return tuple(found)


def _lower(
    spec: str, concepts: ConceptClass[Any], cell: Cell, given: Parameters, labels: int
) -> Number:
    rows = {name: _bound(name, concepts, given, labels) for name in cell.bounds}
    name = max(rows, key=lambda each: rows[each])
    return Number(spec, rows[name], by=name, theorem=BOUNDS[name])


BOUNDS = {
    "littlestone": "FX14",
    "packing of labels": "BNS16",
    "packing of points": "BKN10",
    "packing of thresholds": "BKN10",
    "packing of parities": "BNS16",
    "fingerprinting": "BNS16",
    "without privacy": "EHKV89",
    "two concepts": "DR14",
    "rank": "BNS16",
}
"""The lower bounds that cells name, with their theorems."""


def _bound(name: str, concepts: ConceptClass[Any], given: Parameters, labels: int) -> int:
    alpha, beta, epsilon = given.alpha, given.beta, given.epsilon
    match name:
        case "littlestone":
            depth = concepts.littlestone.lower
            return lower_bounds.littlestone_bound(depth, epsilon=epsilon, alpha=alpha, beta=beta)
        case "packing of labels":
            return lower_bounds.packing(1 << labels, epsilon=epsilon, beta=beta, mass=alpha)
        case "packing of points":
            size = max(concepts.size - 1, 1)
            return lower_bounds.packing(size, epsilon=epsilon, beta=beta, mass=alpha)
        case "packing of thresholds":
            size = max(concepts.domain_size - 2, 1)
            return lower_bounds.packing(size, epsilon=epsilon, beta=beta, mass=2 * alpha)
        case "packing of parities":
            bits = labels * _dims(concepts, alpha)
            return lower_bounds.packing(1 << bits, epsilon=epsilon, beta=beta)
        case "rank":
            return rank_bound(_dims(concepts, alpha), beta=beta)
        case "fingerprinting":  # for the expected error, which is at most alpha + beta - alpha beta
            error = alpha + beta - alpha * beta
            return lower_bounds.many_labels(labels, epsilon=epsilon, delta=given.delta, alpha=error)
        case "two concepts":
            return lower_bounds.two_concepts(
                epsilon=epsilon, delta=given.delta, alpha=alpha, beta=beta
            )
        case _:
            assert name == "without privacy", name
            return lower_bounds.without_privacy(concepts.vc.lower, alpha=alpha, beta=beta)


def _dims(concepts: ConceptClass[Any], alpha: Fraction) -> int:
    """Return the dimension of parities, if hypotheses of this error tell them apart."""
    assert isinstance(concepts, Parities)
    return concepts.dims if 4 * alpha < 1 else 0


def _dimension(spec: str, concepts: ConceptClass[Any], what: str) -> Number:
    if what == "size":
        return Number(spec, concepts.size, by="counting")
    found: Bracket = getattr(concepts, what)
    if found.lower == found.upper:
        return Number(spec, found.lower, by=found.why)
    return Number(spec, between=(found.lower, found.upper), by=found.why)


def _prime(bits: int) -> int:
    """Return the least prime from 2^bits on."""
    candidate = 1 << bits
    while not fmpz(candidate).is_prime():
        candidate += 1
    return candidate
