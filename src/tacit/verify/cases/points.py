"""Points and thresholds: centre points, quantiles, interior points, and learners on a line."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from tacit import concepts, learners, mechanisms, statistics
from tacit.concepts.algebra.hashes import Hash
from tacit.concepts.line.thresholds import Direction
from tacit.core import Approximate, Law
from tacit.verify.cases.statement import Audited, case, counts, on_line, rows
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

Bars = tuple[int, int, int, int]
Points = tuple[int, ...]
FOUR = (0, 1, 2, 3)


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


def tally_point_learner() -> Audited:
    """Points by tally: all samples of small domains, and many rows of which few are positive."""

    def learned(bits: int, n: int, epsilon: str) -> Case:
        learner = learners.TallyPointLearner(concepts.Points(bits), epsilon=epsilon)
        return case(learner, n, str(learner.concepts))

    yes, no = (1, (1,)), (0, (0,))
    return (
        learned(1, 7, "1"),
        learned(2, 5, "2"),
        learned(1, 8, "1/2"),
        learned(2, 5, "6"),
        learned(3, 3, "3"),
    ), (
        Probe(learned(1, 1000, "1/10"), 300, (yes,) * 80 + (no,) * 920),
        Probe(learned(6, 1000, "1"), 300, (yes,) * 14 + (no,) * 986),
        Probe(learned(6, 1000, "8"), 300, (yes,) * 3 + (no,) * 997),
    )


def tree_threshold_learner() -> Audited:
    """Thresholds by the tree: all samples of short lines, each way and both, and many rows."""

    def learned(line: concepts.Thresholds, n: int, epsilon: str, rows: int, none: str) -> Case:
        learner = learners.TreeThresholdLearner(line, epsilon=epsilon, rows=rows, none=none)
        return case(learner, n, f"{line}, {rows} rows, scale {learner.choice.scale}")

    def many(direction: Direction, epsilon: str, rows: int) -> Probe:
        line = concepts.Thresholds(5, direction)
        table = tuple((x % 32, (int(x % 32 >= 13),)) for x in range(1000))
        return Probe(learned(line, 1000, epsilon, rows, "1/20"), 200, table)

    lines = concepts.Thresholds
    return (
        learned(lines(values=3), 6, "1", 2, "1/20"),
        learned(lines(2), 5, "1", 2, "1/10"),
        learned(lines(values=3, direction="down"), 6, "2", 2, "1/50"),
        learned(lines(1), 8, "1/2", 3, "1/10"),
        learned(lines(2), 4, "4", 2, "1/100"),
        learned(lines(1, "both"), 6, "3/2", 2, "1/20"),
        learned(lines(3), 3, "6", 1, "1/8"),
    ), (many("up", "1", 16), many("both", "1/5", 30), many("down", "8", 2))


def hashed_tally_learner() -> Audited:
    """Buckets by tally: with all hashes, and given one of them."""

    def learner(bits: int, epsilon: str, buckets: int) -> learners.HashedTallyLearner:
        points = concepts.Points(bits)
        return learners.HashedTallyLearner(points, epsilon=epsilon, buckets=buckets)

    def whole(n: int, epsilon: str) -> Case:
        return case(learner(1, epsilon, 2), n, "2 buckets, all hashes", rows((0, 1)))

    def given(drawn: Hash, n: int, epsilon: str) -> Case:
        made, about = learner(2, epsilon, drawn.buckets), f"two bits, {drawn}"
        law = partial(made.given, drawn)
        return case(made, n, about, rows(range(4)), law=law, drawn=False, tight=n > 4)

    return (
        whole(6, "1"),
        whole(5, "1/4"),
        given(Hash(3, 3, 2, 0, 2), 5, "2"),
        given(Hash(3, 2, 6, 0, 7), 4, "3"),
        given(Hash(3, 2, 6, 0, 7), 5, "6"),
    ), tuple(
        Probe(whole(1000, epsilon), 200, ((1, (1,)),) * votes + ((0, (0,)),) * (1000 - votes))
        for epsilon, votes in (("1/5", 40), ("8", 3))
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
