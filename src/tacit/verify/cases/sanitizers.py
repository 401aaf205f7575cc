"""Sanitizers: synthetic rows for points, thresholds, marginals and listed queries."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit import mechanisms, sanitizers, statistics
from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.cost import Pure, ZeroConcentrated
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.exact import rational
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.mechanisms.stable.stability_histogram import told_count
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.sanitizers.line.point import filled
from tacit.verify.cases.statement import Audited, case, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

counted = statistics.Counts.of


def _cells(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(product(*map(range, shape)))


def _near(epsilon: str, sensitivity: int, values: list[int], reach: int) -> Law[tuple[int, ...]]:
    """Return the law of noisy values as if none were further off than `reach`, and what that is."""
    noise = mechanisms.DiscreteLaplace(epsilon, sensitivity)
    laws = [noise.law(value, low=value - reach, high=value + reach) for value in values]
    decay = Decay.of(noise.epsilon / sensitivity)
    return joint(laws).widen(4 * len(values) * tail_upper(decay, reach))


def histogram_sanitizer() -> Audited:
    """Synthetic rows from a noisy histogram, over all tiny databases."""

    def made(
        shape: tuple[int, ...], n: int, epsilon: str, *, tight: bool = False, reach: int = 0
    ) -> Case:
        attributes = sanitizers.Attributes(shape)
        sanitizer = sanitizers.HistogramSanitizer(attributes, epsilon=epsilon)

        def nearly(counts: statistics.Counts[Any]) -> Law[Any]:
            noisy = _near(epsilon, 2, attributes.histogram(counts).tolist(), reach)
            return noisy.map(lambda told: sanitizer.made(np.array(told), n))

        return case(
            "histogram-sanitizer",
            f"{shape} cells, n={n}, epsilon={epsilon}",
            sanitizer,
            _cells(shape),
            n,
            counted,
            law=nearly if reach else None,
            tight=tight,
        )

    return (
        made((3,), 3, "1", tight=True),
        made((3,), 2, "1/2", tight=True),
        made((2, 2), 1, "2", tight=True),
        made((3,), 2, "6"),
    ), (
        Probe(made((2,), 1000, "1/2", reach=40), neighbours=0),
        Probe(made((2,), 1000, "8", reach=6), neighbours=0),
    )


def tree_sanitizer() -> Audited:
    """Synthetic rows for thresholds from a noisy tree, over all tiny databases."""

    def made(bits: int, n: int, epsilon: str, *, tight: bool = False, reach: int = 0) -> Case:
        sanitizer = sanitizers.TreeSanitizer(bits, epsilon=epsilon)

        def nearly(counts: statistics.Counts[Any]) -> Law[Any]:
            noisy = _near(epsilon, 2 * bits - 1, sanitizer.halves(counts).tolist(), reach)
            return noisy.map(lambda told: sanitizer.made(np.array(told), n))

        return case(
            "tree-sanitizer",
            f"{1 << bits} points, n={n}, epsilon={epsilon}",
            sanitizer,
            range(1 << bits),
            n,
            counted,
            law=nearly if reach else None,
            tight=tight,
        )

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
    target = "point-sanitizer"

    def made(size: int, n: int, epsilon: str, delta: str, reach: int = 0) -> Case:
        """With a `reach`, all rows are at one point of two: its noisy count tells the rest."""
        line = sanitizers.LineDomain(size)
        sanitizer = sanitizers.PointSanitizer(line, epsilon=epsilon, delta=delta)

        def nearly(counts: statistics.Counts[Any]) -> Law[Any]:
            held, decay = counts[0], Decay.of(rational(epsilon) / 2)
            told = told_count(0, held, decay, least=held - reach, most=n).probabilities
            near = Law({k: p for k, p in told.items() if k}, 2 * told[()])
            return near.map(lambda said: Synthetic((2,), filled(dict(said), n, 2)))

        setting = f"{size} points, n={n}, epsilon={epsilon}, delta={delta}"
        law = nearly if reach else None
        return case(target, setting, sanitizer, range(size), n, counted, law=law)

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
    target = "quantile-sanitizer"

    def made(size: int, n: int, epsilon: str, depth: int, delta: str = "0") -> Case:
        line = sanitizers.LineDomain(size)
        sanitizer = sanitizers.QuantileSanitizer(line, epsilon=epsilon, depth=depth)
        setting = f"{size} points, n={n}, depth {depth}, epsilon={epsilon} each"
        claim = spent(sanitizer.cost, delta)
        return case(target, setting, sanitizer, range(size), n, counted, claim=claim)

    def one_split(n: int, epsilon: str) -> Case:
        """One split of three points, by where it falls: half of the rows are put there."""
        line, decay = sanitizers.LineDomain(3), Decay.of(rational(epsilon) / 4)
        sanitizer = sanitizers.QuantileSanitizer(line, epsilon=epsilon, depth=1)

        def law(counts: statistics.Counts[Any]) -> Law[Any]:
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

        return case(
            target,
            f"3 points, n={n}, one split, epsilon={epsilon}",
            sanitizer,
            range(3),
            n,
            counted,
            claim=Pure(epsilon),
            law=law,
            shown=lambda told: max(told.table, key=lambda cell: cell[1])[0],
        )

    held = (0,) * 500 + (1,) * 300 + (2,) * 200
    return (
        made(3, 3, "1", 1),
        made(3, 3, "1", 2),
        made(4, 3, "1/2", 1),
        made(3, 3, "2", 2, "1/100"),
        made(3, 3, "6", 1),
    ), tuple(Probe(one_split(1000, epsilon), 600, held) for epsilon in ("1/100", "8"))


def blr_sanitizer() -> Audited:
    """Synthetic rows chosen among all, over all tiny databases."""

    def made(
        queries: sanitizers.Queries, n: int, epsilon: str, rows: int, *, tight: bool = False
    ) -> Case:
        sanitizer = sanitizers.BlrSanitizer(queries, epsilon=epsilon, rows=rows)
        shape = queries.attributes.shape
        setting = f"{_asked(shape)}, n={n}, {rows} rows, epsilon={epsilon}"
        return case("blr-sanitizer", setting, sanitizer, _cells(shape), n, counted, tight=tight)

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
        setting = f"{_asked(shape)}, n={n}, {rounds} rounds, epsilon={epsilon} each"
        target = "multiplicative-weights"
        return case(target, setting, sanitizer, _cells(shape), n, counted, claim=claim)

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
    target = "marginal-sanitizer"

    def made(shape: tuple[int, ...], n: int, rho: str, delta: str) -> Case:
        attributes = sanitizers.Attributes(shape)
        sanitizer = sanitizers.MarginalSanitizer(attributes, rho=rho, rounds=1, width=1, first=0)
        setting = f"{shape} cells, n={n}, rho={rho}, delta={delta}"
        claim = spent(sanitizer.cost, delta)
        return case(target, setting, sanitizer, _cells(shape), n, counted, claim=claim)

    def started(n: int, rho: str, delta: str) -> Case:
        """The parities that are measured first, by themselves."""
        bits = sanitizers.Attributes.binary(2)
        sanitizer = sanitizers.MarginalSanitizer(bits, rho=rho, first="7/10", width=2)
        setting = f"parities of 2 bits, n={n}, rho={rho}, delta={delta}"
        claim = spent(ZeroConcentrated(Fraction(7, 10) * Fraction(rho)), delta)

        def law(database: tuple[Any, ...]) -> Law[Any]:
            return sanitizer.started(counted(database))

        return Case(target, setting, "sanitizer", claim, _cells((2, 2)), n, law)

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
