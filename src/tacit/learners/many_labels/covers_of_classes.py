"""Concepts that stand for a whole class on given rows: one for each labelling of sanitized points.

For every class whose functions on its domain can be listed. Proofs in docs/proofs/class_cover.md.

Of the papers: BNS16 Thm 1.1, BNS16 Thm 3.1, BNS16 Lemma 3.6, BNS16 Lemma 3.7, BNS16 Alg 2.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass, integers
from tacit.core import Accuracy, Cost, Decay, Exact, Law, PureCost, Random, TooLarge, check, hold
from tacit.core.chance.law import product
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.noise.pure_histogram import PureHistogram
from tacit.sanitizers.contract.synthetic import PromisingSanitizer, Synthetic
from tacit.statistics import Counts
from tacit.theory.dimensions.generalisation import Generalising
from tacit.theory.solving.class_table import named, sauer

PARTS = tuple(Fraction(part, 16) for part in range(1, 16))
"""Parts of a rate, of noise or of a choice, at which moments are taken."""
BITS = 192
SURE = 1e-6
"""What floats may be off by where they say that a logarithm is above 0."""
LISTED = 1 << 22
"""Values, of all concepts at all points, of a class that is listed."""
ENUMERATED = 12
"""Points of which all sets that may be told are listed for a law."""
FAR = 10**40
"""Rows beyond which no promise improves."""
Chosen = tuple[Concept, ...]


class ClassCover(Generalising):
    """What covers of listed classes share: the labellings of told points, and who is chosen."""

    __slots__ = ()

    def chooses(self, n: int, goal: Accuracy, rows: int, decay: Decay, *, agnostic: bool) -> bool:
        """Whether n rows are enough for one choice, if some concept is within `rows` of a best one.

        Each bad concept by itself: it is chosen with probability at most q^(mistakes more than that
        concept's), for the ratio q of the choice and for every greater one.
        """
        alpha, beta, rate = float(goal.alpha), float(goal.beta), -math.log(decay.ratio)
        size = self.concepts.size

        def log(part: Fraction) -> float:
            l = rate * float(part)  # noqa: E741
            away = alpha * math.sinh(l) - 2 * math.sinh(l / 2) ** 2
            each = math.log1p(-(away if agnostic else -alpha * math.expm1(-l)))
            return math.log(size / beta) + l * rows + n * each

        part = min((*PARTS, Fraction(1)), key=log)
        if log(part) > SURE:
            return False

        def exactly() -> Enclosure:
            near = (real(part) * real(decay.ratio).log()).exp()  # e^-l
            far = (1 / near - near) / 2
            moment = (near + 1 / near) / 2 - real(goal.alpha) * far
            if not agnostic:
                moment = 1 - real(goal.alpha) * (1 - near)
            return real(size / goal.beta).log() - rows * near.log() + n * moment.log()

        return upper(exactly, BITS) <= 0

    @abstractmethod
    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta some concept is within r rows of any other."""

    def about(self, n: int, beta: float) -> float:
        """Return `rows`, for comparisons."""
        return float(self.rows(n, beta))

    def gains(
        self, chosen: Chosen, points: NDArray[Any], gains: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return each concept's sum of gains, one line a concept and one column a label."""
        said = np.array([concept(points) for concept in chosen]).reshape(len(chosen), -1)
        summed: NDArray[np.int64] = said.astype(np.int64) @ gains
        return summed

    def _cells(self, counts: Counts[Any]) -> Counts[int]:
        """Number the points of the rows; those outside are clipped, and null rows are nowhere."""
        columns = self.concepts.features
        points = (
            integers([int(x) for x in counts.table]) if columns == 1 else np.array([*counts.table])
        )
        keys = cells_of(self.concepts, points)
        table: dict[int, int] = {}
        for key, rows in zip(keys, counts.table.values(), strict=True):
            table[key] = table.get(key, 0) + rows
        return Counts(counts.n, table)

    def _read(self, cells: list[int]) -> Chosen:
        """Take one concept, the class's first, for each labelling of the points that were told."""
        told = integers(cells)
        line = self.concepts.features == 1
        return tuple(self.concepts.dichotomies(told if line else self.concepts.domain()[told]))


@dataclass(frozen=True, slots=True)
class HistogramCover(ClassCover, PureCost):
    """The points of a small domain whose counts, with noise, are above 0.

    >>> from tacit.concepts.grid.halfspaces import Halfspaces
    >>> cover = HistogramCover(Halfspaces(2, 2), epsilon="1/5")
    >>> cover.most(5000, 0.05), int(cover.rows(5000, 0.05))
    (174, 86)
    """

    concepts: ConceptClass[Any]
    epsilon: Fraction

    coarsest: ClassVar[Fraction] = Fraction(0)
    """Noise does not grow with the rows."""

    def __init__(self, concepts: ConceptClass[Any], *, epsilon: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon)

    def most(self, n: int, beta: Exact) -> int:  # noqa: ARG002
        """Return how many concepts there are at most: all, whatever n and beta."""
        return self.concepts.size

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta at most r rows have a point that is not told.

        Concepts with the same labels at all told points differ at the others only.
        """
        beta, filled = check.probability(beta=beta), min(self.concepts.domain_size, n)
        return min(Fraction(n), _untold(Decay.of(self.epsilon / 2), filled, beta))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Chosen:
        return self._read([cell for cell, _ in self._told(self._cells(counts), rng=rng)])

    def law(self, counts: Counts[Any], /) -> Law[Chosen]:
        cells, decay, size = (
            self._cells(counts),
            Decay.of(self.epsilon / 2),
            self.concepts.domain_size,
        )
        if size > ENUMERATED:
            raise TooLarge(f"a law is listed for up to {ENUMERATED} points, got {size}")
        chances = (tail(decay, 1 - cells[cell]) for cell in range(size))
        each = product(Law({True: chance, False: 1 - chance}) for chance in chances)
        return each.map(lambda told: self._read(np.flatnonzero(told).tolist()))

    @property
    def _told(self) -> PureHistogram:
        return PureHistogram(self.epsilon, self.concepts.domain_size, threshold=1)


@dataclass(frozen=True, slots=True)
class SyntheticCover(ClassCover):
    """The points of synthetic rows, by any sanitizer.

    The difference of two concepts is made of at most `times` queries that the sanitizer promises an
    error for: one if these are the differences, two for thresholds or points. Rounding may leave
    out as many rows as `unheld`.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.sanitizers.line.tree import TreeSanitizer
    >>> cover = SyntheticCover(Thresholds(8), TreeSanitizer(8, epsilon=1), times=2)
    >>> cover.most(10**5, 0.05), int(cover.rows(10**5, 0.05))
    (256, 522)
    """

    concepts: ConceptClass[Any]
    sanitizer: PromisingSanitizer
    times: int
    unheld: int
    points: int | None

    def __init__(
        self,
        concepts: ConceptClass[Any],
        sanitizer: PromisingSanitizer,
        *,
        times: int = 1,
        unheld: int = 0,
        points: int | None = None,
    ) -> None:
        hold(self, concepts=concepts, sanitizer=sanitizer, points=points)
        hold(self).count(times=times, least=1).count(unheld=unheld)

    @property
    def cost(self) -> Cost:
        return self.sanitizer.cost

    @property
    def coarsest(self) -> Fraction:
        """A share of the rows by which concepts may be off however many there are."""
        return self.rows(FAR, Fraction(1, 2)) / FAR

    def most(self, n: int, beta: Exact) -> int:  # noqa: ARG002
        """Return how many concepts there are at most, whatever beta [Sau72]."""
        held = min(self.concepts.domain_size, n if self.points is None else self.points)
        return min(self.concepts.size, sauer(self.concepts.vc.upper, held))

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta some concept is within r rows of any other.

        Two with the same labels at all synthetic points differ on no synthetic row.
        """
        return min(Fraction(n), self.times * n * self.sanitizer.error(n, beta) + self.unheld)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Chosen:
        return self._seen(self.sanitizer(self._cells(counts), rng=rng))

    def law(self, counts: Counts[Any], /) -> Law[Chosen]:
        """Return the exact law of the concepts, where the sanitizer has one."""
        return self.sanitizer.law(self._cells(counts)).map(self._seen)

    def _seen(self, made: Synthetic) -> Chosen:
        return self._read([cell for cell, _ in made.table])


def tabulated(concepts: ConceptClass[Any]) -> ConceptClass[Any]:
    """Return a class that may be listed at all its points, else say that it is too large."""
    if (named(concepts) or LISTED) * concepts.domain_size > LISTED:
        raise TooLarge(
            f"a class is covered by listing it, up to {LISTED} values of all concepts at all points"
        )
    return concepts


def cells_of(concepts: ConceptClass[Any], points: NDArray[Any]) -> list[int]:
    """Return the number of each point among all of the domain; those outside are clipped."""
    if concepts.features == 1:
        numbers: list[int] = concepts.clip(points).ravel().tolist()
        return numbers
    at = _numbers(concepts)
    found = concepts.clip(points.reshape(-1, concepts.features))
    return [at[tuple(point)] for point in found.tolist()]


@lru_cache(maxsize=16)
def _numbers(concepts: ConceptClass[Any]) -> dict[tuple[int, ...], int]:
    """Return the number of each point of a domain of several columns."""
    return {tuple(point): i for i, point in enumerate(concepts.domain().tolist())}


@lru_cache(maxsize=1 << 12)
def _untold(decay: Decay, filled: int, beta: Fraction) -> Fraction:
    """Bound the rows at points that are not told, but for probability beta; in whole rows.

    A point with c rows is not told with probability q^c / (1 + q). For t < 1 the moment of
    q^(-t c 1[not told]) is at most 1 + t (1 - t)^((1 - t) / t) / (1 + q), whatever c.
    """
    ratio = float(decay.ratio)

    def moment(part: Fraction) -> float:
        t = float(part)
        log = math.log1p(t * (1 - t) ** (1 / t - 1) / (1 + ratio))
        return (filled * log - math.log(beta)) / t

    part = min(PARTS, key=moment)

    def bound() -> Enclosure:
        t = real(part)
        power = (real((1 - part) / part) * (1 - t).log()).exp()
        log = filled * (1 + t * power / real(1 + decay.ratio)).log() - real(beta).log()
        return -log / (t * real(decay.ratio).log())

    return Fraction(max(0, math.ceil(upper(bound)) - 1))
