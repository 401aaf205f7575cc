"""Sanitizers: synthetic rows for points, thresholds, marginals and listed queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from tacit import mechanisms, sanitizers, statistics
from tacit.core import Decay, Law
from tacit.core.chance.law import product as joint
from tacit.core.cost import Approximate, Pure, ZeroConcentrated
from tacit.core.numbers.exact import rational
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.mechanisms.stable.stability_histogram import told_count
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.sanitizers.line.point import filled
from tacit.verify.cases.statement import Audited, case, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def _cells(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(product(*map(range, shape)))


def _near(
    made: Callable[[Any, int], Any],
    epsilon: str,
    sensitivity: int,
    noiseless: Callable[[Any], Any],
    reach: int,
) -> Any:
    """Return the law of a sanitizer whose noise is as if never further off than `reach`.

    What that leaves out widens the law. Without a reach the sanitizer's own law serves.
    """
    noise = mechanisms.DiscreteLaplace(epsilon, sensitivity)
    left_out = 4 * tail_upper(Decay.of(noise.epsilon / sensitivity), reach)

    def law(held: statistics.Counts[Any]) -> Law[Any]:
        values = noiseless(held).tolist()
        laws = [noise.law(value, low=value - reach, high=value + reach) for value in values]
        near = joint(laws).widen(len(values) * left_out)
        return near.map(lambda told: made(np.array(told), held.n))

    return law if reach else None


def histogram_sanitizer() -> Audited:
    """Synthetic rows from a noisy histogram, over all tiny databases."""

    def made(n: int, epsilon: str, *shape: int, tight: bool = False, reach: int = 0) -> Case:
        attributes = sanitizers.Attributes(shape)
        sanitizer = sanitizers.HistogramSanitizer(attributes, epsilon=epsilon)
        law = _near(sanitizer.made, epsilon, 2, attributes.histogram, reach)
        return case(sanitizer, n, f"{shape} cells", _cells(shape), law=law, tight=tight)

    return (
        made(3, "1", 3, tight=True),
        made(2, "1/2", 3, tight=True),
        made(1, "2", 2, 2, tight=True),
        made(2, "6", 3),
    ), (
        Probe(made(1000, "1/2", 2, reach=40), neighbours=0),
        Probe(made(1000, "8", 2, reach=6), neighbours=0),
    )


def tree_sanitizer() -> Audited:
    """Synthetic rows for thresholds from a noisy tree, over all tiny databases."""

    def made(bits: int, n: int, epsilon: str, *, tight: bool = False, reach: int = 0) -> Case:
        sanitizer, points = sanitizers.TreeSanitizer(bits, epsilon=epsilon), 1 << bits
        law = _near(sanitizer.made, epsilon, 2 * bits - 1, sanitizer.halves, reach)
        return case(sanitizer, n, f"{points} points", range(points), law=law, tight=tight)

    return (
        made(2, 3, "1", tight=True),
        made(2, 2, "3", tight=True),
        made(1, 4, "1/2", tight=True),
        made(1, 3, "6"),
    ), (
        Probe(made(1, 1000, "1/10", reach=100)),
        Probe(made(2, 1000, "8", reach=5), neighbours=0),
    )


def point_sanitizer() -> Audited:
    """Synthetic rows for points, over all tiny databases."""

    def made(size: int, n: int, epsilon: str, delta: str, reach: int = 0) -> Case:
        """With a `reach`, all rows are at one point of two: its noisy count tells the rest."""
        line = sanitizers.LineDomain(size)
        sanitizer = sanitizers.PointSanitizer(line, epsilon=epsilon, delta=delta)

        def nearly(counted: statistics.Counts[Any]) -> Law[Any]:
            held, decay = counted[0], Decay.of(rational(epsilon) / 2)
            told = told_count(0, held, decay, least=held - reach, most=n).probabilities
            near = Law({k: p for k, p in told.items() if k}, 2 * told[()])
            return near.map(lambda said: Synthetic((2,), filled(dict(said), n, 2)))

        law = nearly if reach else None
        return case(sanitizer, n, f"{size} points", range(size), law=law)

    return (
        made(3, 4, "1", "1/7"),
        made(4, 3, "2", "1/20"),
        made(3, 6, "1/2", "1/5"),
        made(3, 4, "6", "1/100"),
    ), (
        Probe(made(2, 1000, "1/2", "1/100", 300), database=(0,) * 1000),
        Probe(made(2, 1000, "8", "1e-9", 20), database=(0,) * 1000),
    )


def quantile_sanitizer() -> Audited:
    """Synthetic rows for thresholds by halving, over all tiny databases."""

    def made(size: int, n: int, epsilon: str, depth: int, delta: str = "0") -> Case:
        line = sanitizers.LineDomain(size)
        sanitizer = sanitizers.QuantileSanitizer(line, epsilon=epsilon, depth=depth)
        about, claim = f"{size} points, depth {depth}", spent(sanitizer.cost, delta)
        return case(sanitizer, n, about, range(size), claim=claim)

    def one_split(n: int, epsilon: str) -> Case:
        """One split of three points, by where it falls: half of the rows are put there."""
        line, decay = sanitizers.LineDomain(3), Decay.of(rational(epsilon) / 4)
        sanitizer = sanitizers.QuantileSanitizer(line, epsilon=epsilon, depth=1)

        def law(counted: statistics.Counts[Any]) -> Law[Any]:
            """Weigh each place by how unequally it divides the rows, in integers of 256 bits."""
            weights, left = [0, 0, 0], 0
            for point in range(3):
                held = counted[point]
                lefts = [*range(left + 1, left + held + 1), *[left + held] * (n - held)]
                gaps = Counter(abs(2 * rows - n) for rows in lefts)
                weights[point] = sum(m * decay.scaled(gap, 256)[0] for gap, m in gaps.items())
                left += held
            chances = {point: Fraction(w, sum(weights)) for point, w in enumerate(weights)}
            return Law(chances, Fraction(1, 1 << 200), complete=True)

        def heaviest(told: Synthetic) -> Any:
            return max(told.table, key=lambda cell: cell[1])[0]

        claim = Pure(epsilon)
        return case(sanitizer, n, "one split", range(3), claim=claim, law=law, shown=heaviest)

    held = (0,) * 500 + (1,) * 300 + (2,) * 200
    return (
        made(3, 3, "1", 1),
        made(3, 3, "1", 2),
        made(4, 3, "1/2", 1),
        made(3, 3, "2", 2, "1/100"),
        made(3, 3, "6", 1),
    ), tuple(Probe(one_split(1000, epsilon), 600, held) for epsilon in ("1/100", "8"))


def prefix_sanitizer() -> Audited:
    """Synthetic rows from counted cells between told prefixes, over all tiny databases."""

    def made(size: int, n: int, epsilon: str, delta: str, counting: str, reach: int = 0) -> Case:
        """With a `reach` there are two points, and hence two cells, whatever is told."""
        line = sanitizers.LineDomain(size)
        sanitizer = sanitizers.PrefixSanitizer(
            line, epsilon=epsilon, delta=delta, counting=counting
        )
        law = _near(partial(sanitizer.made, (0, 1, 2)), counting, 2, _two, reach)
        claim = Approximate(rational(epsilon) + rational(counting), delta)
        return case(sanitizer, n, f"{size} points", range(size), claim=claim, law=law)

    return (
        made(3, 3, "1", "1/10", "1"),
        made(4, 2, "2", "1/5", "1/2"),
        made(3, 3, "1/8", "1/100", "1/8"),
        made(3, 3, "6", "1/5", "4"),
    ), (
        Probe(made(2, 1000, "1/10", "1e-3", "2/5", 50), neighbours=0),
        Probe(made(2, 1000, "4", "1e-3", "6", 8), neighbours=0),
    )


def _two(held: statistics.Counts[Any]) -> Any:
    return np.array([held[0], held[1]])


def blr_sanitizer() -> Audited:
    """Synthetic rows chosen among all, over all tiny databases."""

    def made(
        queries: sanitizers.Queries, n: int, epsilon: str, rows: int, *, tight: bool = False
    ) -> Case:
        sanitizer = sanitizers.BlrSanitizer(queries, epsilon=epsilon, rows=rows)
        shape = queries.attributes.shape
        return case(sanitizer, n, f"{_asked(shape)}, {rows} rows", _cells(shape), tight=tight)

    line = sanitizers.ListedQueries.thresholds
    bits = sanitizers.MarginalQueries(sanitizers.Attributes.binary(2), 2)
    return (
        made(line(3), 4, "1", 4, tight=True),
        made(line(4), 3, "1/2", 2, tight=True),
        made(bits, 3, "2", 3, tight=True),
        made(line(3), 3, "6", 2),
    ), tuple(Probe(made(line(2), 1000, epsilon, 1)) for epsilon in ("1/20", "8"))


def _asked(shape: tuple[int, ...]) -> str:
    return f"{len(shape)} bits" if len(shape) > 1 else f"thresholds on {shape[0]} points"


def multiplicative_weights() -> Audited:
    """Synthetic rows by multiplicative weights: all choices, over all tiny databases."""

    def made(
        queries: sanitizers.Queries, n: int, epsilon: str, rounds: int, delta: str = "0"
    ) -> Case:
        sanitizer = sanitizers.MultiplicativeWeights(queries, epsilon=epsilon, rounds=rounds)
        shape, claim = queries.attributes.shape, spent(sanitizer.cost, delta)
        return case(sanitizer, n, f"{_asked(shape)}, {rounds} rounds", _cells(shape), claim=claim)

    line = sanitizers.ListedQueries.thresholds(3)
    bits = sanitizers.MarginalQueries(sanitizers.Attributes.binary(2), 1)
    return (
        made(line, 3, "1", 2),
        made(line, 5, "2", 1),
        made(bits, 3, "1/2", 2),
        made(line, 3, "2", 2, "1/100"),
        made(line, 3, "1/8", 2),
        made(line, 3, "6", 1),
    ), tuple(Probe(made(line, 1000, epsilon, 2), 300) for epsilon in ("1/20", "4"))


def marginal_sanitizer() -> Audited:
    """Synthetic rows from chosen marginals: choice, noise and check, over all tiny databases."""

    def made(shape: tuple[int, ...], n: int, rho: str, delta: str) -> Case:
        attributes = sanitizers.Attributes(shape)
        sanitizer = sanitizers.MarginalSanitizer(attributes, rho=rho, rounds=1, width=1, first=0)
        claim = spent(sanitizer.cost, delta)
        return case(sanitizer, n, f"{shape} cells, {rho=}", _cells(shape), claim=claim)

    def started(n: int, rho: str, delta: str) -> Case:
        """The parities that are measured first, by themselves."""
        bits = sanitizers.Attributes.binary(2)
        sanitizer = sanitizers.MarginalSanitizer(bits, rho=rho, first="7/10", width=2)
        claim = spent(ZeroConcentrated(Fraction(7, 10) * Fraction(rho)), delta)
        about, law = f"parities of 2 bits, {rho=}", sanitizer.started
        return case(sanitizer, n, about, _cells((2, 2)), claim=claim, law=law, drawn=False)

    return (
        made((2, 2), 3, "1/2", "1/10"),
        made((2, 2), 2, "1", "1/100"),
        started(3, "1/2", "1/10"),
        started(3, "1", "1/100"),
        made((2, 2), 2, "1/50", "1/10"),
        made((2, 2), 2, "2", "1/1000"),
    ), (
        Probe(made((2,), 10, "1/40", "1/100"), 300),
        Probe(made((2,), 1000, "8", "1/100"), 300),
    )


def pair_sanitizer() -> Audited:
    """Synthetic rows matched to noisy pairs: noise and check, over all tiny databases."""

    def made(
        shape: tuple[int, ...], n: int, rho: str, delta: str, outcome: int | None = None
    ) -> Case:
        sanitizer = sanitizers.PairSanitizer(shape, rho=rho, width=2, outcome=outcome)
        claim = spent(sanitizer.cost, delta)
        return case(sanitizer, n, f"{shape}, {rho=}, {outcome=}", _cells(shape), claim=claim)

    return (
        made((2, 1, 1), 1, "1/2", "1/10"),
        made((2, 2), 1, "2", "1/1000"),
        made((2, 1), 3, "1/2", "1/10"),
        made((3, 1), 3, "2", "1/1000"),
        made((2, 1), 2, "1/50", "1/10"),
        made((2, 1), 2, "2", "1/1000", 0),
    ), (
        Probe(made((2, 1), 10, "1/40", "1/100"), 300),
        Probe(made((2, 1), 12, "8", "1/100"), 300),
    )
