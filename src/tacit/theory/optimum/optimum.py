"""The best private learner of a small class, with a proof from either side.

Rows are replaced, n is public, and who is private is so on *every* database. What is minimised is

- the greatest expected error on the rows themselves, over all databases that a concept explains;
- if `agnostic`, the greatest expected excess over the best concept, over all databases;
- with an `alpha`, the greatest probability of an error above alpha on the populations of
  `populations`, a finite family: below its optimum no (alpha, beta)-learner of the class can have
  its beta with n rows; the law that attains it promises nothing elsewhere.

Rows may carry several labels. A learner then has a hypothesis for each, and its error is that of
the worst of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import as_class
from tacit.core import InvalidArgument, Privacy, TooLarge, check
from tacit.core.chance.law import Law, collect
from tacit.core.numbers.exact import Exact, told
from tacit.theory.optimum.certificates import DualPrior, PrivateLaw, check_law, check_prior
from tacit.theory.optimum.databases import POINTS, Answers, ClassProgram, class_program
from tacit.theory.optimum.program import Program
from tacit.theory.optimum.proposal import dual_prior, private_law, propose
from tacit.theory.optimum.votes import VOTES, Kind, votes_program

FLATTEST, STEEPEST = Fraction(1, 10**6), 30
"""Epsilon for which programs are solved: floats do not see what e^-60 weighs, nor 1 + 1e-20."""

RAREST = Fraction(1, 10**6)
"""Alpha for which programs are solved: few rows do not meet what is rarer."""
NEAR = Fraction(1, 10**6)
"""Of the loss: nearer bounds are not worth a second solution."""
FLOORS = (0.0, 1e-8, 1e-4)
"""The units that are tried in turn; see `propose`."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """`lower` <= the least possible loss <= `upper`: `law` attains `upper`, `prior` proves `lower`.

    >>> best = optimum("points(values=2)", n=2, epsilon=1)
    >>> best.verify(), round(float(best.lower), 6), best.upper - best.lower < 1e-9
    (True, 0.18394, True)
    """

    program: Program
    privacy: Privacy
    lower: Fraction
    upper: Fraction
    law: PrivateLaw
    prior: DualPrior

    def verify(self) -> bool:
        """Whether both certificates prove what is claimed, in exact arithmetic."""
        try:
            upper = check_law(self.program, self.law, self.privacy)
            lower = check_prior(self.program, self.prior, self.privacy)
        except InvalidArgument:
            return False
        return upper <= self.upper and lower >= self.lower


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: the best learner of a class, on n rows, by which loss."""

    concepts: ConceptClass[Any]
    n: int
    alpha: Fraction | None
    proper: bool
    agnostic: bool
    labels: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class ClassOptimum(Optimum):
    """The optimum of a class; hypotheses are written as their answers, point by point.

    Of several labels the answers of each follow those of the one before.
    """

    question: Question
    listing: ClassProgram

    def on(self, histogram: tuple[int, ...]) -> Law[Answers]:
        """Return the best learner's law on a database: rows of each (x, y), at 2^k x + y.

        >>> best = optimum("points(values=2)", n=2, epsilon=1, proper=True)
        >>> round(float(best.on((0, 0, 0, 2))[False, True]), 6)
        0.81606
        """
        listing, rows = self.listing, np.array(histogram, dtype=np.int64)
        n, cells = listing.databases.n, listing.databases.histograms.shape[1]
        if rows.shape != (cells,) or rows.min() < 0 or rows.sum() != n:
            raise InvalidArgument(f"histogram must have {cells} counts that add up to {n}")
        unknowns = listing.unknowns[listing.databases.find(rows)].tolist()
        named = (tuple(row.tolist()) for row in listing.hypotheses)
        whole = self.law.whole
        return collect(
            (h, Fraction(self.law.masses[v], whole)) for h, v in zip(named, unknowns, strict=True)
        )


@dataclass(frozen=True, slots=True, eq=False)
class VotesOptimum(Optimum):
    """The optimum of votes; `kinds` says what each unknown is about."""

    kinds: tuple[Kind, ...]

    def on(self, counts: tuple[int, ...]) -> dict[int, Fraction]:
        """Return the chance of *each* candidate with so many votes, given all votes, most first.

        >>> best = votes(64, n=12, epsilon=1)
        >>> 1 - best.on((12,))[12] == 63 * best.on((12,))[0] == best.upper
        True
        """
        masses = zip(self.kinds, self.law.masses, strict=False)  # hubs follow
        law = {
            k: Fraction(mass, self.law.whole)
            for (all_votes, k), mass in masses
            if all_votes == counts
        }
        if not law:
            raise InvalidArgument(f"counts must be the votes of a state, most first, got {counts}")
        return law


def optimum(
    concepts: ConceptClass[Any] | str,
    *,
    n: int,
    epsilon: Exact,
    delta: Exact = 0,
    alpha: Exact | None = None,
    proper: bool = False,
    agnostic: bool = False,
    labels: int = 1,
    symmetric: bool = True,
    tell: Tell = lambda _: None,
) -> ClassOptimum:
    """Compute the least loss of any (epsilon, delta)-private learner of a class on n rows.

    Of a learner that is not `proper`, hypotheses are all functions on the domain; each of the
    `labels` of a row has its own. Without `symmetric` the symmetries of the class are not used: a
    larger program, whose unknowns are databases and hypotheses as they are.

    >>> two = optimum("points(values=2)", n=3, epsilon=1, alpha=0.2)
    >>> two.lower <= two.upper <= two.lower + Fraction(1, 10**8)
    True
    """
    check.count(n=n, least=1)
    check.count(labels=labels, least=1, up_to=POINTS)
    privacy = _privacy(epsilon, delta)
    share = None if alpha is None else check.probability(alpha=alpha)
    if share is not None and share < RAREST:
        raise InvalidArgument(f"alpha must be at least 1e-6, got {told(share)}")
    asked = Question(as_class(concepts), n, share, proper, agnostic, labels)
    table = _table(asked.concepts)
    tell("listing databases")
    listing = class_program(
        table,
        n=n,
        alpha=share,
        proper=proper,
        agnostic=agnostic,
        pure=not privacy.delta,
        labels=labels,
        symmetric=symmetric,
    )
    return ClassOptimum(*_solved(listing.program, privacy, tell), asked, listing)


def votes(
    candidates: int,
    *,
    n: int,
    epsilon: Exact,
    delta: Exact = 0,
    mass: Exact = 1,
    tell: Tell = lambda _: None,
) -> VotesOptimum:
    """Compute the least failure of any private choice of the candidate that all n rows vote for.

    With a `mass` below 1, each row votes for the target with this probability only, else for none.

    >>> best = votes(64, n=12, epsilon=1)
    >>> best.verify(), round(float(best.lower), 6), round(float(best.upper), 6)
    (True, 0.009812, 0.009812)
    """
    check.count(n=n, least=1, up_to=VOTES)
    privacy, share = _privacy(epsilon, delta), check.positive(mass=mass)
    if share > 1:
        raise InvalidArgument(f"mass must be at most 1, got {mass}")
    tell("listing partitions")
    program, kinds = votes_program(candidates, n=n, mass=share, pure=not privacy.delta)
    return VotesOptimum(*_solved(program, privacy, tell), kinds)


def _solved(
    program: Program, privacy: Privacy, tell: Tell
) -> tuple[Program, Privacy, Fraction, Fraction, PrivateLaw, DualPrior]:
    """Propose, repair and check; in other units again as long as the two sides do not meet."""
    uppers, lowers = [], []
    for floor in FLOORS:
        tell(f"solving for {program.nodes} unknowns under {len(program.limits.edges)} constraints")
        proposal = propose(program, privacy, floor=floor)
        if proposal is not None:
            tell("making certificates")
            law, prior = private_law(program, proposal, privacy), dual_prior(program, proposal)
            uppers.append((check_law(program, law, privacy), law))
            lowers.append((check_prior(program, prior, privacy), prior))
            upper, lower = min(uppers, key=_bound)[0], max(lowers, key=_bound)[0]
            if upper - lower <= NEAR * max(upper, NEAR):
                break
    if not uppers:
        raise TooLarge("the program was not solved; take a smaller n or fewer points")
    (upper, law), (lower, prior) = min(uppers, key=_bound), max(lowers, key=_bound)
    return program, privacy, lower, upper, law, prior


def _bound(certified: tuple[Fraction, PrivateLaw | DualPrior]) -> Fraction:
    return certified[0]


def _privacy(epsilon: Exact, delta: Exact) -> Privacy:
    rate = check.positive(epsilon=epsilon)
    if not FLATTEST <= rate <= STEEPEST:
        raise InvalidArgument(f"epsilon must lie between 1e-6 and {STEEPEST}, got {told(rate)}")
    return Privacy(epsilon, delta)


def _table(concepts: ConceptClass[Any]) -> Any:
    """List a class on its domain, of equal concepts the first."""
    if concepts.domain_size > POINTS or concepts.size > 1 << POINTS:
        raise InvalidArgument(
            f"class {concepts} has more than {POINTS} points or 2^{POINTS} concepts; "
            "the optimum is computed for smaller ones, such as thresholds(values=4)"
        )
    points = concepts.domain()
    rows = np.array([concept(points) for concept in concepts.concepts()], dtype=np.bool_)
    _, first = np.unique(rows, axis=0, return_index=True)
    return rows[np.sort(first)]
