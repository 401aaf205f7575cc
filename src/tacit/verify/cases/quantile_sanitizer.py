"""Synthetic rows for thresholds by halving, over all tiny databases."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.exact import rational
from tacit.sanitizers import LineDomain, QuantileSanitizer
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(size: int, n: int, epsilon: str, depth: int, *, delta: str | None = None) -> Case:
    sanitizer = QuantileSanitizer(LineDomain(size), epsilon=epsilon, depth=depth)

    law = Route(sanitizer, Counts.of)

    total = price(sanitizer.cost, delta or 0).privacy
    claim = Approximate(total.epsilon, total.delta) if delta else Pure(total.epsilon)
    setting = f"{size} points, n={n}, depth {depth}, epsilon={epsilon} each"
    universe = tuple(range(size))
    return Case("quantile-sanitizer", setting, "sanitizer", claim, universe, n, law)


CASES = (
    _case(3, 3, "1", 1),
    _case(3, 3, "1", 2),
    _case(4, 3, "1/2", 1),
    _case(3, 3, "2", 2, delta="1/100"),
    _case(3, 3, "6", 1),
)


def _one_split(n: int, epsilon: str) -> Case:
    """One split of three points, by the point where it falls: half of the rows are put there."""
    sanitizer = QuantileSanitizer(LineDomain(3), epsilon=epsilon, depth=1)
    decay = Decay.of(rational(epsilon) / 4)

    def law_of(counts: Counts[Any]) -> Law[Any]:
        """Weigh each place by how unequally it divides the rows, in integers of 256 bits."""
        weights, left = [0, 0, 0], 0
        for point in range(3):
            held = counts[point]
            lefts = [*range(left + 1, left + held + 1), *[left + held] * (n - held)]
            gaps = Counter(abs(2 * rows - n) for rows in lefts)
            weights[point] = sum(m * decay.scaled(gap, 256)[0] for gap, m in gaps.items())
            left += held
        chances = {point: Fraction(w, sum(weights)) for point, w in enumerate(weights)}
        return Law(chances, Fraction(1, 1 << 200), complete=True)

    law = Route(sanitizer, Counts.of, law_of, lambda made: max(made.table, key=lambda c: c[1])[0])
    setting = f"3 points, n={n}, one split, epsilon={epsilon}"
    return Case("quantile-sanitizer", setting, "sanitizer", Pure(epsilon), (0, 1, 2), n, law)


PROBES = tuple(
    Probe(_one_split(1000, epsilon), 600, (0,) * 500 + (1,) * 300 + (2,) * 200)
    for epsilon in ("1/100", "8")
)
