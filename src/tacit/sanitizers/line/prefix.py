"""Synthetic rows for thresholds over lines of any length: cells between prefixes, counted.

Of the papers: BNS16 Prop 2.21.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, Exact, Law, Privacy, Random, check, hold
from tacit.core.cost import Pure, Sequential
from tacit.mechanisms import DiscreteLaplace, HeavyPrefixes
from tacit.sanitizers.contract.rounding import sum_deviation
from tacit.sanitizers.contract.synthetic import ErrorPromise, Synthetic
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.sanitizers.line.tree import rising
from tacit.statistics import Counts, LineCounts

SHARES = tuple(Fraction(part, 20) for part in range(3, 15))
"""Parts of epsilon that are tried for the counts."""


@dataclass(frozen=True, slots=True)
class PrefixSanitizer(ErrorPromise):
    """Cut the line at prefixes with many rows, count the cells, and put the rows at their ends.

    Guarantee:
        (epsilon + counting, delta)-DP. With probability at least 1 - beta the number of rows up to
        no point is off by more than n `error(n, beta)`, for every database. The rows that this
        needs grow with the logarithm of the number of bits.

    Exactness:
        As `HeavyPrefixes` and `DiscreteLaplace`, with noisy counts clipped to -n and 2n.

    Cost:
        `Sequential` of the prefixes' cost and `Pure(counting)`; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> line, total = LineDomain(1 << 1024), Privacy(1, "1e-6")
    >>> sanitizer = PrefixSanitizer.within(line, total, n=5_000, beta=0.05)
    >>> float(sanitizer.error(5_000, 0.05))
    0.0764
    >>> made = sanitizer(Counts(5_000, {5: 2_500, 1 << 1000: 2_500}), rng=Seeded(1))
    >>> made.n, sum(count for point, count in made.table if point <= 5) > 2_400
    (5000, True)

    Proof: docs/proofs/heavy_prefixes.md
    """

    line: LineDomain
    prefixes: HeavyPrefixes
    counting: Fraction

    def __init__(self, line: LineDomain, *, epsilon: Exact, delta: Exact, counting: Exact) -> None:
        bits = max(1, (line.size - 1).bit_length())
        hold(self, line=line, prefixes=HeavyPrefixes(bits, epsilon=epsilon, delta=delta))
        hold(self).positive(counting=counting)

    @classmethod
    def within(cls, line: LineDomain, privacy: Privacy, *, n: int, beta: Exact) -> PrefixSanitizer:
        """Return the sanitizer with the least promised error for n rows that keeps this promise."""
        parts = [(privacy.epsilon * part, privacy.epsilon * (1 - part)) for part in SHARES]
        tries = [cls(line, epsilon=e, delta=privacy.delta, counting=c) for c, e in parts]
        return min(tries, key=lambda made: made.error(n, beta))

    @property
    def cost(self) -> Sequential:
        return Sequential(self.prefixes.cost, Pure(self.counting))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        rows = self.line.counts(counts, bits=self.prefixes.bits)
        cuts = self.prefixes.cuts(self.prefixes(rows, rng=rng), self.line.size)
        return self.made(cuts, self._noise(self._cells(rows, cuts), rng=rng), counts.n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        rows, n = self.line.counts(counts, bits=self.prefixes.bits), counts.n

        def counted(cuts: tuple[int, ...]) -> Law[Synthetic]:
            noisy = self._noise.law(self._cells(rows, cuts), low=-n, high=max(2 * n, 1))
            return noisy.map(lambda told: self.made(cuts, np.array(told), n))

        told = self.prefixes.law(rows)
        return told.map(lambda t: tuple(self.prefixes.cuts(t, self.line.size))).then(counted)

    def error(self, n: int, beta: Exact) -> Fraction:
        beta = check.probability(beta=beta)
        if check.count(n=n) == 0:
            return Fraction(0)
        crowd, told = self.prefixes.crowd(n, beta / 4), self.prefixes.most(n, beta / 4)
        terms = min(3 * told + 2, self.line.size) // 2
        off = sum_deviation(Decay.of(self.counting / 2), terms, beta / 8) - 1
        return (
            min(Fraction(1), Fraction(crowd + 2 * off + 1, 2 * n)) if 2 * off <= n else Fraction(1)
        )

    def made(self, cuts: Sequence[int], noisy: NDArray[Any], n: int) -> Synthetic:
        """Turn noisy counts of the cells into rows; a function of public things."""
        told = np.clip(noisy, -n, 2 * n).astype(np.int64)
        half = len(told) // 2
        below = np.cumsum(told)
        below[half:] = n - np.append(np.cumsum(told[:half:-1])[::-1], 0)
        rows = np.diff(rising(np.clip(below, 0, n)), prepend=0).tolist()
        table: dict[int, int] = {}
        for (start, end), count in zip(pairwise(cuts), rows, strict=True):
            for point, part in ((start, count // 2), (end - 1, count - count // 2)):
                table[point] = table.get(point, 0) + part
        return Synthetic((self.line.size,), tuple((p, c) for p, c in table.items() if c))

    @property
    def _noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(self.counting, 2)

    def _cells(self, rows: LineCounts, cuts: Sequence[int]) -> list[int]:
        upto = [rows.at_most(cut - 1) for cut in cuts]
        return [after - before for before, after in pairwise(upto)]
