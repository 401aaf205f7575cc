"""Many labels at once: one by one, from one histogram, and from one cover of the points."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tacit import concepts, learners, statistics
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.verify.cases.statement import Audited, Row, case, rows, spent
from tacit.verify.dealing import alike, by_position
from tacit.verify.enumeration import Case
from tacit.verify.route import jointly, labelled
from tacit.verify.sampling import Probe


def direct_sum() -> Audited:
    """Labels one by one: what their repetition is priced at holds for all hypotheses together."""

    def learned(
        spec: str, universe: tuple[Row, ...], n: int, epsilon: Exact, delta: Exact = 0
    ) -> Case:
        k, classes = len(universe[0][1]), concepts.parse(spec)
        learner = learners.DirectSum.within(
            Privacy(epsilon, delta), k, lambda e: learners.GenericLearner(classes, epsilon=e)
        )
        return case(
            "direct-sum",
            f"{k} labels, {spec}, n={n}, epsilon={epsilon}, delta={delta}",
            learner,
            universe,
            n,
            jointly(k),
            claim=spent(learner.cost, delta),
            labels=k,
        )

    two, line, points = rows((0, 1), 2), "thresholds(bits=1)", "points(bits=1)"
    crossed = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
    same = tuple((x, (y,) * 10) for x in (0, 1) for y in (0, 1))
    return (
        learned(line, two, 4, "1"),
        learned(points, two, 3, "2"),
        learned(points, two, 4, "1", "1/100"),
        learned(points, crossed, 2, "1/3"),
        learned(line, crossed, 2, "6"),
    ), tuple(Probe(learned(line, same, 1000, epsilon), 200) for epsilon in ("1/10", "30"))


def histogram_learner() -> Audited:
    """k points from one histogram: one, two, three and ten labels, proper and not."""
    few: tuple[Row, ...] = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
    many: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (1, (1, 0) * 5))

    def learned(
        n: int, universe: tuple[Row, ...], epsilon: Exact, delta: Exact, *, proper: bool = False
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.HistogramLearner(
            concepts.Points(1), labels=k, epsilon=epsilon, delta=delta, proper=proper
        )
        setting = f"{k} labels, n={n}, proper={proper}, epsilon={epsilon}, delta={delta}"
        return case("histogram-learner", setting, learner, universe, n, jointly(k), labels=k)

    return (
        learned(3, rows((0, 1), 2), "1", "1/10"),
        learned(4, rows((0, 1)), "2", "1/20"),
        learned(3, rows((0, 1), 2), "1/2", "1/100", proper=True),
        learned(3, few, "6", "1/100"),
    ), (
        Probe(learned(1000, many, "1/50", "3e-3"), database=many[:1] * 850 + many[1:2] * 150),
        Probe(learned(1000, many, "8", "3e-4"), database=many[:1] * 997 + many[1:2] * 3),
    )


def pure_histogram_learner() -> Audited:
    """k points from one noisy histogram of all records: one, two, three and ten labels."""
    few: tuple[Row, ...] = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
    many: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (1, (1, 0) * 5))

    def learned(
        n: int, universe: tuple[Row, ...], epsilon: Exact, beta: Exact, *, proper: bool = False
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.PureHistogramLearner(
            concepts.Points(1), labels=k, epsilon=epsilon, beta=beta, proper=proper
        )
        setting = f"{k} labels, n={n}, proper={proper}, epsilon={epsilon}, beta={beta}"
        return case("pure-histogram-learner", setting, learner, universe, n, jointly(k), labels=k)

    return (
        learned(3, rows((0, 1), 2), "1", "9/10"),
        learned(4, rows((0, 1)), "2", "1/2"),
        learned(3, rows((0, 1), 2), "1/2", "9/10", proper=True),
        learned(3, few, "6", "9/10"),
    ), (
        Probe(learned(1000, many, "1/10", "1e-6"), database=many[:1] * 560 + many[1:2] * 440),
        Probe(learned(1000, many, "8", "1e-6"), database=many[:1] * 994 + many[1:2] * 6),
    )


def split_cover() -> Audited:
    """The splits of a line: on three points every cover of depth 1 is the same, from five not."""

    def covered(n: int, depth: int, epsilon: Exact, values: int = 3) -> Case:
        line = concepts.Thresholds(values=values)
        cover = learners.SplitCover(line, epsilon=epsilon, depth=depth)
        return case(
            "split-cover",
            f"{values} points, n={n}, depth {depth}, epsilon={epsilon} a level",
            cover,
            range(values),
            n,
            statistics.Counts.of,
            claim=Pure(depth * cover.epsilon),
            kind="mechanism",
        )

    return (
        covered(3, 1, "1"),
        covered(4, 2, "1/2"),
        covered(3, 1, "2"),
        covered(3, 1, "1/4", 5),
        covered(3, 1, "6", 5),
    ), (Probe(covered(60, 1, "1/4", 6)), Probe(covered(30, 1, "8", 6)))


def told_cover() -> Audited:
    """The points that occur often."""

    def covered(n: int, epsilon: Exact, delta: Exact) -> Case:
        cover = learners.ToldCover(concepts.Points(values=3), epsilon=epsilon, delta=delta)
        return case(
            "told-cover",
            f"3 points, n={n}, epsilon={epsilon}, delta={delta}",
            cover,
            range(3),
            n,
            statistics.Counts.of,
            claim=Approximate(cover.epsilon, cover.delta),
            kind="mechanism",
        )

    return (
        covered(4, "1", "1/10"),
        covered(5, "1/2", "1/50"),
        covered(4, "6", "1/100"),
    ), (
        Probe(covered(1000, "1/50", "3e-3"), database=(0,) * 850 + (1,) * 150),
        Probe(covered(1000, "8", "3e-4"), database=(0,) * 997 + (1,) * 3),
    )


def shared_cover_learner() -> Audited:
    """k labels from one cover: the law of the cover together with all hypotheses."""

    def learned(
        cover: learners.SplitCover | learners.ToldCover,
        epsilon: Exact,
        delta: Exact,
        universe: tuple[Row, ...],
        n: int = 3,
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.SharedCoverLearner(cover, labels=k, epsilon=epsilon)
        # beyond the second the labels are alike
        few = learners.SharedCoverLearner(cover, labels=min(k, 2), epsilon=epsilon)
        name = f"{cover.concepts}, {k} labels, cover {cover.epsilon}, choices {learner.epsilon}"
        return case(
            "shared-cover-learner",
            f"{name}, delta={delta}",
            lambda database, *, rng: learner(jointly(k)(database), rng=rng),
            universe,
            n,
            claim=spent(learner.cost, delta),
            law=lambda database: few.law(
                jointly(few.labels)(tuple((x, marks[:2]) for x, marks in database))
            ),
            shown=lambda told: told[:2],
            transcript=lambda database: learner.law_with_cover(jointly(k)(database)),
            labels=k,
            kind="learner",
        )

    def split(epsilon: Exact, depth: int = 1) -> learners.SplitCover:
        return learners.SplitCover(concepts.Thresholds(values=3), epsilon=epsilon, depth=depth)

    def told(epsilon: Exact, delta: Exact) -> learners.ToldCover:
        return learners.ToldCover(concepts.Points(values=3), epsilon=epsilon, delta=delta)

    one, two = rows(range(3)), tuple(product(range(3), ((0, 1), (1, 0))))
    three: tuple[Row, ...] = ((0, (0, 0, 1)), (1, (1, 0, 1)), (2, (1, 1, 0)))
    many = tuple((x, (y,) * 10) for x in range(3) for y in (0, 1))
    return (
        learned(split("1/2"), "1/2", 0, one),
        learned(split("1/2", 2), "1/2", 0, one[1:-1]),
        learned(split("1"), "1/2", "1/50", two[1:-1]),
        learned(told("4/5", "1/10"), "3/5", "1/5", one),
        learned(told("4/5", "1/10"), "3/5", "1/8", two[1:]),
        learned(split("1/8"), "1/8", 0, one),
        learned(split("4"), "4", 0, one[1:-1]),
        learned(split("1"), "1/2", 0, three),
    ), (
        Probe(learned(told("1/20", "1/100"), "1/100", "1/8", many, 1000), 300, neighbours=0),
        Probe(learned(told("8", "1/1000"), "2", "1/8", many, 1000), 300, neighbours=0),
    )


def sanitized_learner() -> Audited:
    """Sanitize, then learn: records dealt to the two pools by position, and nearly all alike."""
    target = "sanitized-learner"

    def learner(
        values: int, depth: int, cover: str, epsilon: str, share: str
    ) -> learners.SanitizedLearner:
        line = concepts.Thresholds(values=values)
        splits = learners.SplitCover(line, epsilon=cover, depth=depth)
        return learners.SanitizedLearner(splits, epsilon=epsilon, share=share)

    def pooled(values: int, pools: tuple[int, int], cover: str, depth: int, epsilon: str) -> Case:
        made = learner(values, depth, cover, epsilon, "1/2")

        @cache
        def told(points: tuple[int, ...], labelled_rows: tuple[Row, ...]) -> Law[Any]:
            return made.law_of_pools(statistics.Counts.of(points), labelled(labelled_rows))

        def law(parts: list[tuple[Row, ...]]) -> Law[Any]:
            return told(tuple(sorted(x for x, _ in parts[0])), tuple(sorted(parts[1])))

        held = f"pools of {pools[0]} and {pools[1]}, cover {depth} x {cover}"
        return case(
            target,
            f"{made.concepts}, {held}, choice {epsilon}",
            made,
            rows(range(values)),
            sum(pools),
            labelled,
            claim=spent(made.cost),
            transcript=by_position(pools, tuple, law),
            symmetric=False,
        )

    def nearly(n: int, epsilon: str) -> Case:
        """One row in a hundred is for the cover."""
        made = learner(3, 1, epsilon, epsilon, "1/100")

        def law(parts: list[tuple[Row, ...]]) -> Law[Any]:
            points = statistics.Counts.of(x for x, _ in parts[0])
            return made.law_of_pools(points, labelled(parts[1])).map(lambda both: both[1])

        return alike(
            target,
            f"{made.concepts}, n={n}, nearly all rows alike, epsilon={epsilon} twice",
            made,
            rows(range(3)),
            n,
            labelled,
            [n // 100, n - n // 100],
            law,
            vote=tuple,
            claim=spent(made.cost),
        )

    return (
        pooled(3, (2, 1), "1/2", 1, "1/2"),
        pooled(2, (2, 2), "1/4", 2, "1/2"),
        pooled(3, (1, 2), "1/3", 2, "1"),
        pooled(2, (1, 1), "6", 1, "6"),
    ), tuple(Probe(nearly(1000, e), 300, ((1, (1,)),) * 1000) for e in ("1/500", "8"))
