"""Synthetic rows for thresholds by halving, over all tiny databases."""

from __future__ import annotations

from typing import Any

from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.sanitizers import Line, QuantileSanitizer
from tacit.statistics import Counts


def _case(size: int, n: int, epsilon: str, depth: int, *, delta: str | None = None) -> Case:
    sanitizer = QuantileSanitizer(Line(size), epsilon=epsilon, depth=depth)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.law(Counts.of(database))

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
)
