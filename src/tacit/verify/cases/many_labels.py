"""Many labels at once: one by one, from one histogram, and from one cover of the points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from tacit import concepts, learners, statistics
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Approximate, Exact, Law, Privacy, Pure
from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.sanitizers.contract.queries import ListedQueries
from tacit.sanitizers.every_query.blr import BlrSanitizer
from tacit.sanitizers.every_query.multiplicative_weights import MultiplicativeWeights
from tacit.statistics.counts.marks import Marks
from tacit.verify.cases.statement import Audited, Row, Rows, case, counts, rows, rows_of, spent
from tacit.verify.dealing import alike, placed
from tacit.verify.enumeration import Case
from tacit.verify.route import as_it_is, jointly, labelled
from tacit.verify.sampling import Probe

THREE: tuple[Row, ...] = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
"""Rows with three labels that do not all agree."""
FREQUENT = (
    ("1/50", "3e-3", 850),
    ("8", "3e-4", 997),
)
"""Budgets, and how many of 1000 rows hold the first point so that telling the second is open."""


def direct_sum() -> Audited:
    """Labels one by one: what their repetition is priced at holds for all hypotheses together."""

    def learned(
        spec: str, universe: tuple[Row, ...], n: int, epsilon: Exact, delta: Exact = 0
    ) -> Case:
        each = partial(learners.GenericLearner, concepts.parse(spec))
        learner = learners.DirectSum.within(
            Privacy(epsilon, delta), len(universe[0][1]), lambda e: each(epsilon=e)
        )
        about, claim = f"{learner.labels} labels, {spec}", spent(learner.cost, delta)
        return case(learner, n, about, universe, claim=claim)

    two, line, points = rows((0, 1), 2), "thresholds(bits=1)", "points(bits=1)"
    same = tuple((x, (y,) * 10) for x in (0, 1) for y in (0, 1))
    return (
        learned(line, two, 4, "1"),
        learned(points, two, 3, "2"),
        learned(points, two, 4, "1", "1/100"),
        learned(points, THREE, 2, "1/3"),
        learned(line, THREE, 2, "6"),
    ), tuple(Probe(learned(line, same, 1000, epsilon), 200) for epsilon in ("1/10", "30"))


def histogram_learner() -> Audited:
    """k points from one histogram: one, two, three and ten labels, proper and not."""
    many: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (1, (1, 0) * 5))

    def learned(
        n: int,
        universe: tuple[Row, ...],
        epsilon: Exact,
        delta: Exact,
        *,
        proper: bool = False,
        share: Exact = "1/2",
    ) -> Case:
        made: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "proper": proper}
        k = len(universe[0][1])
        learner = learners.HistogramLearner(concepts.Points(1), labels=k, **made, share=share)
        return case(learner, n, f"{k} labels, {proper=}, {share=}", universe)

    return (
        learned(3, rows((0, 1), 2), "1", "1/10"),
        learned(4, rows((0, 1)), "2", "1/20"),
        learned(4, rows((0, 1)), "2", "1/20", share="11/16"),
        learned(3, rows((0, 1), 2), "1/2", "1/100", proper=True),
        learned(3, THREE, "6", "1/100"),
    ), tuple(
        Probe(learned(1000, many, e, d), database=many[:1] * at + many[1:2] * (1000 - at))
        for e, d, at in FREQUENT
    )


def _splits(epsilon: Exact, depth: int = 1, values: int = 3) -> learners.SplitCover:
    return learners.SplitCover(concepts.Thresholds(values=values), epsilon=epsilon, depth=depth)


def _told(epsilon: Exact, delta: Exact) -> learners.ToldCover:
    return learners.ToldCover(concepts.Points(values=3), epsilon=epsilon, delta=delta)


def pure_histogram_learner() -> Audited:
    """k points from one noisy histogram of all records: one, two, three and ten labels."""
    many: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (1, (1, 0) * 5))

    def learned(
        n: int, universe: tuple[Row, ...], epsilon: Exact, beta: Exact, *, proper: bool = False
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.PureHistogramLearner(
            concepts.Points(1), labels=k, epsilon=epsilon, beta=beta, proper=proper
        )
        return case(learner, n, f"{k} labels, {proper=}, {beta=}", universe)

    return (
        learned(3, rows((0, 1), 2), "1", "9/10"),
        learned(4, rows((0, 1)), "2", "1/2"),
        learned(3, rows((0, 1), 2), "1/2", "9/10", proper=True),
        learned(3, THREE, "6", "9/10"),
    ), (
        Probe(learned(1000, many, "1/10", "1e-6"), database=many[:1] * 560 + many[1:2] * 440),
        Probe(learned(1000, many, "8", "1e-6"), database=many[:1] * 994 + many[1:2] * 6),
    )


def split_cover() -> Audited:
    """The splits of a line: on three points every cover of depth 1 is the same, from five not."""

    def covered(n: int, epsilon: Exact, depth: int = 1, values: int = 3) -> Case:
        cover, about = _splits(epsilon, depth, values), f"{values} points, depth {depth}"
        claim = Pure(depth * cover.epsilon)
        return case(cover, n, about, range(values), counts, claim=claim, kind="mechanism")

    return (
        covered(3, "1"),
        covered(4, "1/2", 2),
        covered(3, "2"),
        covered(3, "1/4", 1, 5),
        covered(3, "6", 1, 5),
    ), (Probe(covered(60, "1/4", 1, 6)), Probe(covered(30, "8", 1, 6)))


def told_cover() -> Audited:
    """The points that occur often."""

    def covered(n: int, epsilon: Exact, delta: Exact) -> Case:
        claim, cover = Approximate(epsilon, delta), _told(epsilon, delta)
        return case(cover, n, "3 points", range(3), counts, claim=claim, kind="mechanism")

    return (
        covered(4, "1", "1/10"),
        covered(5, "1/2", "1/50"),
        covered(4, "6", "1/100"),
    ), tuple(
        Probe(covered(1000, e, d), database=(0,) * at + (1,) * (1000 - at)) for e, d, at in FREQUENT
    )


def _cells(epsilon: Exact, delta: Exact, values: int = 4) -> learners.PrefixCover:
    return learners.PrefixCover(concepts.Thresholds(values=values), epsilon=epsilon, delta=delta)


def prefix_cover() -> Audited:
    """The cuts between prefixes with many rows."""

    def covered(n: int, epsilon: Exact, delta: Exact, values: int = 4) -> Case:
        cover, about = _cells(epsilon, delta, values), f"{values} points"
        return case(cover, n, about, range(values), counts, kind="mechanism")

    return (
        covered(4, "1", "1/5"),
        covered(3, "1/2", "1/50", 6),
        covered(4, "6", "1/10", 5),
    ), (
        Probe(covered(1000, "1/50", "1e-3"), database=(0,) * 400 + (1,) * 300 + (3,) * 300),
        Probe(covered(1000, "8", "1e-3", 6), database=(0,) * 990 + (1,) * 4 + (4,) * 6),
    )


INTERVALS = concepts.Intervals(values=3)
SQUARE = concepts.Boxes(1, 2)


def _noisy(epsilon: Exact, of: Any = INTERVALS) -> learners.HistogramCover:
    return learners.HistogramCover(of, epsilon=epsilon)


def label_histogram_learner() -> Audited:
    """k labels of any class, from points told with their labels: one, two, three and ten labels."""
    many: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (2, (1, 0) * 5))

    def learned(
        n: int, universe: tuple[Row, ...], epsilon: Exact, delta: Exact, of: Any = INTERVALS
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.LabelHistogramLearner(of, labels=k, epsilon=epsilon, delta=delta)
        return case(learner, n, f"{of}, {k} labels", universe)

    return (
        learned(4, rows(range(3)), "1", "1/10"),
        learned(3, rows_of(SQUARE), "1/2", "1/50", SQUARE),
        learned(3, rows(range(2), 2), "2", "1/20"),
        learned(3, THREE, "6", "1/100"),
    ), tuple(
        Probe(learned(1000, many, e, d), database=many[:1] * at + many[1:2] * (1000 - at))
        for e, d, at in FREQUENT
    )


def histogram_cover() -> Audited:
    """The labellings of points whose noisy counts are positive: on a line, and in the plane."""

    def covered(n: int, epsilon: Exact, of: Any = INTERVALS) -> Case:
        points = [x for x, _ in rows_of(of)[::2]]
        return case(_noisy(epsilon, of), n, str(of), points, counts, kind="mechanism")

    return (
        covered(4, "1"),
        covered(3, "1/2", SQUARE),
        covered(3, "6"),
    ), (
        Probe(covered(1000, "1/100"), database=(0,) * 990 + (1,) * 10),
        Probe(covered(1000, "8"), database=(0,) * 999 + (1,)),
    )


def synthetic_cover() -> Audited:
    """The labellings of synthetic points: of small tables, and of corrected weights."""
    differences = ListedQueries.differences(
        np.array([c(np.arange(3)) for c in INTERVALS.concepts()])
    )

    def chosen(n: int, epsilon: Exact, size: int = 2) -> Case:
        made = BlrSanitizer(differences, epsilon=epsilon, rows=size)
        cover = learners.SyntheticCover(INTERVALS, made, points=size)
        return case(
            cover, n, f"{size} of 3", range(3), counts, claim=Pure(epsilon), kind="mechanism"
        )

    def corrected(n: int, epsilon: Exact) -> Case:
        made = MultiplicativeWeights(differences, epsilon=epsilon, rounds=2)
        cover, claim = learners.SyntheticCover(INTERVALS, made, unheld=3), spent(made.cost)
        return case(cover, n, "2 rounds", range(3), counts, claim=claim, kind="mechanism")

    return (
        chosen(4, "1"),
        chosen(3, "1/2", 1),
        chosen(3, "6"),
        corrected(3, "1/2"),
    ), (
        Probe(chosen(1000, "1/10"), database=(0,) * 600 + (1,) * 400),
        Probe(chosen(1000, "8"), database=(0,) * 600 + (1,) * 400),
    )


def shared_cover_learner() -> Audited:
    """k labels from one cover: the law of the cover together with all hypotheses."""

    def learned(
        cover: Any, epsilon: Exact, delta: Exact, universe: tuple[Row, ...], n: int = 3
    ) -> Case:
        k = len(universe[0][1])
        learner = learners.SharedCoverLearner(cover, labels=k, epsilon=epsilon)
        # beyond the second the labels are alike
        few = learners.SharedCoverLearner(cover, labels=min(k, 2), epsilon=epsilon)

        def law(database: Rows) -> Law[Any]:
            return few.law(jointly(few.labels)(tuple((x, marks[:2]) for x, marks in database)))

        return case(
            lambda database, *, rng: learner(jointly(k)(database), rng=rng),
            n,
            f"{cover.concepts}, {k} labels, cover {cover.epsilon}, choices {learner.epsilon}",
            universe,
            as_it_is,
            claim=spent(learner.cost, delta),
            law=law,
            shown=lambda told: told[:2],
            transcript=lambda database: learner.law_with_cover(jointly(k)(database)),
            labels=k,
            kind="learner",
        )

    one, two = rows(range(3)), tuple(product(range(3), ((0, 1), (1, 0))))
    three: tuple[Row, ...] = ((0, (0, 0, 1)), (1, (1, 0, 1)), (2, (1, 1, 0)))
    many = tuple((x, (y,) * 10) for x in range(3) for y in (0, 1))
    return (
        learned(_splits("1/2"), "1/2", 0, one),
        learned(_splits("1/2", 2), "1/2", 0, one[1:-1]),
        learned(_splits("1"), "1/2", "1/50", two[1:-1]),
        learned(_told("4/5", "1/10"), "3/5", "1/5", one),
        learned(_told("4/5", "1/10"), "3/5", "1/8", two[1:]),
        learned(_cells("4/5", "1/10"), "3/5", "1/8", one),
        learned(_splits("1/8"), "1/8", 0, one),
        learned(_splits("4"), "4", 0, one[1:-1]),
        learned(_splits("1"), "1/2", 0, three),
        learned(_noisy("1/2"), "1/2", 0, one),
        learned(_noisy("1"), "1/2", "1/50", two[1:-1]),
        learned(_noisy("1"), "1/3", 0, three),
        learned(_noisy("1", SQUARE), "1/2", 0, rows_of(SQUARE)[1:-2]),
    ), (
        Probe(learned(_told("1/20", "1/100"), "1/100", "1/8", many, 1000), 300, neighbours=0),
        Probe(learned(_told("8", "1/1000"), "2", "1/8", many, 1000), 300, neighbours=0),
    )


WARD, AGE = Marks(2, nested=False), Marks(2, nested=True)
"""Two of three wards, and two cut points of a number."""
BINS = tuple((x, marks) for x in (0, 1) for marks in ((0, 0), (1, 0), (0, 1), (1, 1)))
"""Rows of both, and some that fit neither: these are read as if they did."""


def joint_margin() -> Audited:
    """Gradients for the marks of one column: what cards say after bins, frame and one step."""

    def learned(marks: Marks, rho: int, epsilon: int, n: int, universe: Any, caution: int) -> Case:
        made: Any = {"rho": rho, "outcomes": (marks,), "caution": caution}
        learner = learners.JointMargin(Scorecards("2"), **made, steps=1, bits=0)
        delta = delta_of_rho(Fraction(rho), Fraction(epsilon))
        about, claim = f"{marks}, one step, rho={rho}", Approximate(epsilon, delta)

        @cache
        def says(card: Any) -> tuple[bool, ...]:
            return tuple(card(np.arange(2)).tolist())

        def shown(cards: Any) -> Any:
            return tuple(map(says, cards))

        def law(sample: statistics.JointCounts) -> Law[Any]:
            return learner.law(sample).map(shown)

        return case(learner, n, about, universe, claim=claim, law=law, shown=shown)

    return (
        learned(WARD, 24, 32, 1, BINS[1:7:5], 0),
        learned(AGE, 24, 32, 1, BINS[::7], 0),
        learned(WARD, 2, 4, 2, BINS[:4], 3472),
        learned(AGE, 4, 8, 3, BINS[:3], 10**5),
    ), tuple(Probe(learned(AGE, rho, 2 * rho, 1000, BINS, 10**7), 300) for rho in (2, 4))


def joint_counted() -> Audited:
    """Counts of bins in steps, in three releases: all that is told, and the cards of constants."""

    def learned(
        outcomes: tuple[Marks, ...], values: str, n: int, epsilon: str, universe: Any, **more: Any
    ) -> Case:
        made: Any = {"epsilon": epsilon, "outcomes": outcomes, "caution": more.get("caution", 0)}
        learner = learners.JointCounted(Scorecards(values), **made)
        about, told = f"{outcomes}, {values}", None if more else learner.told
        few = values == "2" and len(outcomes) == 1
        if few:
            return case(learner, n, about, universe, transcript=told, tight=not more)
        return case(learner, n, about, universe, law=told, tight=True, drawn=False)

    three = ((0, (0, 0, 1)), (1, (1, 0, 0)), (0, (0, 1, 1)))
    return (
        learned((WARD,), "2", 1, "1", BINS),
        learned((AGE,), "2", 1, "2", BINS),
        learned((AGE,), "s3", 1, "1/2", BINS[3:6]),
        learned((WARD, Marks(1, nested=False)), "2", 1, "6", three[1:]),
        learned((WARD,), "2", 3, "1", BINS, caution=100),
    ), tuple(Probe(learned((WARD,), "2", 1000, e, BINS, caution=10**6), 300) for e in ("1/20", "8"))


def sanitized_learner() -> Audited:
    """Sanitize, then learn: records dealt to the two pools by position, and nearly all alike."""

    def learner(cover: learners.SplitCover, epsilon: str, share: str = "1/2") -> dict[str, Any]:
        """Return a learner, and what it tells of the points of one pool and the rows of another."""
        made = learners.SanitizedLearner(cover, epsilon=epsilon, share=share)

        @cache
        def told(points: tuple[int, ...], others: tuple[Row, ...]) -> Law[Any]:
            return made.law_of_pools(counts(points), labelled(others))

        def law(parts: list[Rows]) -> Law[Any]:
            return told(tuple(sorted(x for x, _ in parts[0])), tuple(sorted(parts[1])))

        return {"learner": made, "law": law, "vote": tuple, "claim": spent(made.cost)}

    def pooled(cover: learners.SplitCover, first: int, second: int, epsilon: str) -> Case:
        about = f"{cover.concepts}, {cover.depth} x {cover.epsilon}, pools of {first} and {second}"
        return placed(sizes=[first, second], about=about, **learner(cover, epsilon))

    def nearly(epsilon: str) -> Case:
        """One row in a hundred is for the cover."""
        how = learner(_splits(epsilon), epsilon, "1/100")
        law = how.pop("law")
        return alike(
            sizes=[10, 990],
            n=1000,
            about="3 points",
            universe=rows(range(3)),
            law=lambda parts: law(parts).map(lambda both: both[1]),
            **how,
        )

    return (
        pooled(_splits("1/2"), 2, 1, "1/2"),
        pooled(_splits("1/4", 2, 2), 2, 2, "1/2"),
        pooled(_splits("1/3", 2), 1, 2, "1"),
        pooled(_splits("6", 1, 2), 1, 1, "6"),
    ), tuple(Probe(nearly(e), 300, ((1, (1,)),) * 1000) for e in ("1/500", "8"))
