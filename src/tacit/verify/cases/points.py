"""Points and thresholds: centre points, quantiles, interior points, and learners on a line."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit import concepts, learners, mechanisms, statistics
from tacit.concepts.line.thresholds import Direction
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact, rational
from tacit.statistics.quasi_concave import depths
from tacit.verify.cases.statement import Audited, case, counts, on_line, rows, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

Bars = tuple[int, int, int, int]
Points = tuple[int, ...]
FOUR = (0, 1, 2, 3)
FEW = (3, 4, 12)
MANY = (0, 7, 8, 15)


def centre_point() -> Audited:
    """A private centre point on a line, in the plane and in space."""

    def deep(n: int, epsilon: str, *sizes: int, tight: bool = False) -> Case:
        grid, about = product(*map(range, sizes)), f"{'x'.join(map(str, sizes))} grid"
        return case(mechanisms.CentrePoint(sizes, epsilon), n, about, grid, counts, tight=tight)

    return (
        deep(4, "1", 4, tight=True),
        deep(1, "2", 2, tight=True),
        deep(3, "1", 2, 2),
        deep(3, "2", 3, 2, tight=True),
        deep(2, "1/2", 2, 2, 2, tight=True),
        deep(3, "6", 3),
    ), tuple(Probe(deep(1000, epsilon, 4)) for epsilon in ("1/20", "8"))


def interior_point() -> Audited:
    """Interior points: length, prefixes and point all told, over all databases."""

    def inside(
        bits: int, n: int, epsilon: str, delta: str, bars: Bars, universe: Points = FOUR
    ) -> Case:
        interior = mechanisms.InteriorPoint(bits, epsilon=epsilon, delta=delta, bars=bars)
        about, claim = f"{bits} bits, {bars=}", Approximate(interior.epsilon, interior.delta)
        told, read = interior.transcript, on_line(bits)
        return case(interior, n, about, universe, read, claim=claim, transcript=told)

    return (
        inside(2, 4, "1", "1/20", (1, 2, 0, 2)),
        inside(2, 6, "2", "1/10", (3, 3, 1, 1)),
        inside(3, 4, "1/2", "1/100", (2, 2, 0, 1), (0, 3, 4, 5)),
        inside(3, 5, "1", "1/10", (2, 1, 1, 1), (3, 4, 7)),
        inside(2, 4, "6", "1/20", (1, 2, 0, 2)),
    ), (
        Probe(inside(2, 1000, "1/20", "1/100", (20, 20, 3, 9))),
        Probe(inside(2, 1000, "8", "1/100", (2, 2, 1, 1))),
    )


def heavy_prefixes() -> Audited:
    """Prefixes with many records: all that are told, over all databases."""

    def told(bits: int, n: int, epsilon: str, delta: str, universe: Points = FOUR) -> Case:
        heavy = mechanisms.HeavyPrefixes(bits, epsilon=epsilon, delta=delta)
        return case(heavy, n, f"{bits} bits", universe, on_line(bits))

    return (
        told(2, 4, "1", "1/5"),
        told(2, 6, "2", "1/10", (0, 1, 3)),
        told(3, 4, "1/2", "1/100", (0, 3, 4, 5)),
        told(5, 12, "1", "9/10", (0, 1, 31)),
        told(2, 4, "6", "1/5"),
    ), (
        Probe(told(2, 1000, "1/50", "1e-3"), database=(0,) * 400 + (1,) * 300 + (3,) * 300),
        Probe(told(2, 1000, "1/10", "1e-3"), database=(0,) * 900 + (1,) * 50 + (3,) * 50),
        Probe(told(3, 40, "8", "1/100", (0, 1, 7)), database=(0,) * 30 + (1,) * 4 + (7,) * 6),
    )


def private_quantile() -> Audited:
    """Quantiles by the exponential mechanism on ranks."""

    def at(level: str, n: int, epsilon: str) -> Case:
        quantile = mechanisms.PrivateQuantile(2, level=level, epsilon=epsilon)
        return case(quantile, n, f"level {level}", FOUR, on_line(2), tight=True)

    return (
        at("1/2", 4, "1"),
        at("1/4", 5, "1/2"),
        at("1", 3, "2"),
        at("1/2", 3, "6"),
    ), tuple(Probe(at("1/4", 1000, epsilon)) for epsilon in ("1/20", "8"))


def prefix_quantile() -> Audited:
    """Quantiles by interior points of the rows around a rank: all that these tell."""

    def at(level: str, n: int, epsilon: str, delta: str, bars: Bars) -> Case:
        quantile = mechanisms.PrefixQuantile(
            2, level=level, epsilon=epsilon, delta=delta, bars=bars
        )
        interior = quantile.interior

        def told(near: statistics.LineCounts) -> Law[Any]:
            first = near.rank(quantile.level) - interior.rows // 2
            return interior.transcript(near.window(first, interior.rows))

        about, claim = f"level {level}, {bars=}", Approximate(interior.epsilon, interior.delta)
        return case(quantile, n, about, FOUR, on_line(2), claim=claim, transcript=told)

    return (
        at("1/2", 4, "1", "1/20", (2, 1, 0, 1)),
        at("1/4", 5, "2", "1/10", (2, 2, 1, 1)),
        at("1", 3, "1/2", "1/100", (1, 1, 0, 2)),
        at("1/2", 3, "6", "1/20", (1, 1, 0, 1)),
    ), tuple(Probe(at("1/2", 1000, e, "1/20", (4, 4, 1, 2))) for e in ("1/4", "8"))


def _search(
    bits: int, promise: int, delta: str, levels: int = 1, times: Exact = 1
) -> tuple[mechanisms.RecConcave, Pure | Approximate]:
    """Make a search with tiny bars, and what it claims: what it is charged."""
    scale, select, final = (rational(times) * Fraction(k, 20) for k in (4, 5, 6))
    share = Fraction(delta) / (2 * levels)
    choose = mechanisms.Exponential(scale)
    search = mechanisms.RecConcave(bits, promise, 1, 0, select, share, final, choose)
    if levels == 2:
        inner = mechanisms.RecConcave(bits.bit_length(), 2, 1, 0, select, share, final, choose)
        search = mechanisms.RecConcave(bits, promise, 1, 1, select, share, final, inner)
    return search, spent(search.cost, delta)


def rec_concave() -> Audited:
    """Recursion on the scale for a median: everything told at every level, over all databases."""

    def median(bits: int, n: int, promise: int, delta: str, universe: Points, **more: Any) -> Case:
        search, claim = _search(bits, promise, delta, **more)

        def read(database: Points) -> statistics.QuasiConcave:
            return depths(statistics.LineCounts.of(database, bits=bits))

        about = f"median, {bits} bits, {more.get('levels', 1)} levels"
        return case(search, n, about, universe, read, claim=claim, transcript=search.transcript)

    return (
        median(4, 5, 3, "1/10", FEW),
        median(5, 4, 2, "1/100", MANY),
        median(4, 4, 2, "1/5", FEW, levels=2),
        *(median(4, 3, 2, "1/10", FEW, times=times) for times in ("1/3", 7)),
    ), tuple(Probe(median(4, 1000, 40, "1/10", MANY, times=t), 300) for t in ("1/5", 10))


def rec_concave_threshold_learner() -> Audited:
    """Thresholds by recursion on the scale: everything told at every level."""

    def learned(
        bits: int, n: int, delta: str, points: Points, way: Direction = "up", times: Exact = 1
    ) -> Case:
        search, claim = _search(bits, 0, delta, times=times)
        learner = learners.RecConcaveThresholdLearner(
            concepts.Thresholds(bits, way), epsilon=claim.epsilon, delta=delta, search=search
        )

        def told(sample: statistics.LabelCounts) -> Law[Any]:
            return search.transcript(learner.scores(sample))

        return case(learner, n, universe=rows(points), claim=claim, transcript=told)

    return (
        learned(4, 3, "1/10", FEW),
        learned(5, 4, "1/100", FEW[:2], "down"),
        *(learned(4, 3, "1/10", FEW[:2], times=times) for times in ("1/3", 7)),
    ), tuple(Probe(learned(4, 1000, "1/10", FEW, times=times), 300) for times in ("1/5", 10))


def stable_point_learner() -> Audited:
    """The stable point learner, with and without its proper fall-back."""

    def learned(
        bits: int, n: int, epsilon: str, delta: str, *, proper: bool, tight: bool = False
    ) -> Case:
        points = concepts.Points(bits)
        learner = learners.StablePointLearner(points, epsilon=epsilon, delta=delta, proper=proper)
        return case(learner, n, f"{points}, {proper=}", tight=tight)

    yes, no = (1, (1,)), (0, (0,))
    return (
        learned(1, 7, "1", "1/100", proper=False, tight=True),
        learned(2, 4, "1/2", "1/20", proper=False, tight=True),
        learned(1, 6, "2", "1/10", proper=True),
        learned(2, 4, "1", "1/100", proper=True),
        learned(1, 4, "6", "1/100", proper=False),
    ), (
        Probe(learned(1, 1000, "1/10", "7e-4", proper=True), 300, (yes,) * 60 + (no,) * 940),
        Probe(learned(1, 1000, "8", "7e-8", proper=False), 300, (yes,) * 6 + (no,) * 994),
    )


def prefix_threshold_learner() -> Audited:
    """The prefix learner of thresholds: length, prefix and threshold all told."""

    def learned(
        line: concepts.Thresholds,
        n: int,
        epsilon: str,
        delta: str,
        bars: tuple[int, int],
        points: Points = FOUR,
    ) -> Case:
        learner = learners.PrefixThresholdLearner(line, epsilon=epsilon, delta=delta, bars=bars)
        about, claim = f"{line}, {bars=}", Approximate(learner.epsilon, learner.delta)
        told = learner.transcript
        return case(learner, n, about, rows(points), claim=claim, transcript=told)

    line = concepts.Thresholds
    return (
        learned(line(2), 3, "1", "1/20", (1, 1)),
        learned(line(2), 4, "2", "1/10", (1, 0)),
        learned(line(3, "down"), 4, "1/2", "1/100", (1, 1), (3, 4, 5)),
        learned(line(2, "both"), 3, "3", "1/5", (1, 2)),
        learned(line(2), 3, "6", "1/10", (1, 1)),
    ), (
        Probe(learned(line(2), 1000, "1/20", "1/100", (20, 20))),
        Probe(learned(line(2), 1000, "8", "1/100", (2, 2))),
    )


def prior_learner() -> Audited:
    """The learner with a prior: its weights are public, so the generic learner's proof serves."""

    def learned(line: concepts.Thresholds, n: int, epsilon: str) -> Case:
        return case(learners.PriorLearner(line, epsilon=epsilon), n, tight=True)

    line = concepts.Thresholds
    return (
        learned(line(2), 3, "1"),
        learned(line(values=3), 4, "1/10"),
        learned(line(values=3, direction="both"), 3, "2"),
        learned(line(1), 3, "6"),
    ), tuple(Probe(learned(line(3), 1000, epsilon)) for epsilon in ("1/20", "8"))
