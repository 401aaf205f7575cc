"""Learners by algebra: parities and lines, in blocks by position and in a uniform order."""

from __future__ import annotations

from functools import cache
from itertools import product

from tacit import concepts, learners, statistics
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra import line, voting_line
from tacit.verify.cases.statement import Audited, Row, case, rows
from tacit.verify.dealing import alike, by_position
from tacit.verify.enumeration import Case
from tacit.verify.route import jointly
from tacit.verify.sampling import Probe

NullableRow = Row | None
"""A row, or one that says nothing."""
CROWD: tuple[NullableRow, ...] = (
    ((0, 0), (1,)),
    ((1, 1), (1,)),
    ((2, 2), (1,)),
    ((1, 0), (1,)),
    ((0, 0), (0,)),
    None,
)
"""Three positives on one line, one off it, and two rows that say nothing."""


def cube(dims: int) -> tuple[Row, ...]:
    """Return all rows over some columns: every point with both labels."""
    return rows(product((0, 1), repeat=dims))


def plane(p: int) -> tuple[Row, ...]:
    """Return all rows of a plane: every point with both labels."""
    return rows(product(range(p), repeat=2))


def counted(database: tuple[NullableRow, ...]) -> statistics.LabelCounts:
    """Count the rows of a database, None being a null row."""
    held = statistics.LabelCounts.of([row for row in database if row is not None], labels=1)
    return statistics.LabelCounts(len(database), 1, held.points, held.totals, held.positives)


def parity_learner() -> Audited:
    """The parity learner: one attempt and many, one block and several, with rows that are null."""

    def learned(
        dims: int,
        n: int,
        epsilon: Exact,
        attempts: int,
        *,
        blocks: int = 1,
        by: str = "uniform order",
        null: bool = False,
        tight: bool = False,
    ) -> Case:
        learner = learners.ParityLearner(
            concepts.Parities(dims), epsilon=epsilon, attempts=attempts, blocks=blocks
        )
        setting = f"dims={dims}, n={n}, epsilon={epsilon}, attempts={attempts}"
        placed = by_position([n // blocks] * blocks, counted, learner.blocks_law)
        return case(
            "parity-learner",
            setting
            + (f", {blocks} blocks by {by}" if blocks > 1 else "")
            + (", with null rows" if null else ""),
            learner,
            (*cube(dims), None) if null else cube(dims),
            n,
            counted,
            transcript=placed if by == "position" else None,
            symmetric=by != "position",
            tight=tight,
        )

    solved = tuple((x, (x[0],)) for x in product((0, 1), repeat=2)) * 250  # one parity explains all
    return (
        learned(1, 4, "1", 1, tight=True),
        learned(2, 3, "1/2", 1, tight=True),
        learned(1, 4, "1", 24),
        learned(2, 3, "2", 6),
        learned(1, 3, "1/10", 24, null=True),
        learned(1, 9, "3", 8, tight=True),
        learned(1, 4, "1", 1, blocks=2, by="position"),
        learned(1, 4, "2", 3, blocks=2),
        learned(1, 3, "6", 3),
    ), tuple(Probe(learned(2, 1000, epsilon, 1), 600, solved) for epsilon in ("1/10", "8"))


def block_parity_learner() -> Audited:
    """k parities from votes of blocks: by position, and rows that nearly all say the same."""
    target = "block-parity-learner"

    def learner(labels: int, epsilon: Exact, delta: Exact) -> learners.BlockParityLearner:
        bit = concepts.Parities(1)
        return learners.BlockParityLearner(bit, labels=labels, epsilon=epsilon, delta=delta)

    def about(labels: int, blocks: int, size: int, epsilon: Exact, delta: Exact) -> str:
        return f"d=1, {labels} labels, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}"

    def placed(
        blocks: int, universe: tuple[Row, ...], epsilon: Exact, delta: Exact, *, tight: bool
    ) -> Case:
        k = len(universe[0][1])
        made, read = learner(k, epsilon, delta), jointly(k)
        votes = cache(lambda part: made.vote(read(part)))
        return case(
            target,
            about(k, blocks, 2, epsilon, delta),
            made,
            universe,
            2 * blocks,
            read,
            transcript=by_position([2] * blocks, votes, made.law_of_votes),
            symmetric=False,
            tight=tight,
            labels=k,
        )

    def nearly(n: int, epsilon: Exact, delta: Exact) -> Case:
        made, read = learner(10, epsilon, delta), jointly(10)
        size, blocks = made.plan(n)
        return alike(
            target,
            about(10, blocks, size, epsilon, delta),
            made,
            (said, ((1,), (0,) * 10)),
            n,
            read,
            [size] * blocks,
            made.law_of_votes,
            vote=cache(lambda part: made.vote(read(part))),
            labels=10,
        )

    said, bit = ((1,), (1,) * 10), ((0,), (1,))
    few = tuple((x, (y, y, 0)) for x in bit for y in (0, 1))
    return (
        placed(2, rows(bit), "1", "1/10", tight=True),
        placed(3, rows(bit), "1/2", "1/50", tight=True),
        placed(2, rows(bit, 2), "2", "1/20", tight=True),
        placed(2, rows(bit), "6", "1/50", tight=False),
        placed(2, few, "1", "1/20", tight=False),
    ), (
        Probe(nearly(1000, "1/50", "1/5000"), 60, (said,) * 1000, 0),
        Probe(nearly(100, "8", "1e-171"), 100, (said,) * 100),
    )


def line_learner() -> Audited:
    """The line learner: its stages and both together, on planes with few points."""
    target = "line-learner"

    def learner(p: int, epsilon: Exact, delta: Exact) -> learners.LineLearner:
        return learners.LineLearner(concepts.Lines(p), epsilon=epsilon, delta=delta)

    def staged(
        p: int,
        universe: tuple[NullableRow, ...],
        stages: tuple[int, int],
        epsilon: Exact,
        delta: Exact,
        *,
        tight: bool = True,
    ) -> Case:
        made, (first, second) = learner(p, epsilon, delta), stages
        rows_held = f"{first} + {second} rows of {len(universe)} kinds"
        return Case(
            target,
            f"p={p}, {rows_held}, epsilon={epsilon}, delta={delta}",
            "learner",
            made.cost,
            universe,
            first + second,
            by_position(stages, counted, made.blocks_law),
            symmetric=not (first and second),
            tight=tight,
        )

    def dealt(n: int, epsilon: Exact, delta: Exact) -> Case:
        held = f"{n} rows of {len(CROWD)} kinds in uniform order"
        setting = f"p=3, {held}, epsilon={epsilon}, delta={delta}"
        return case(target, setting, learner(3, epsilon, delta), CROWD, n, counted)

    def nearly(n: int, epsilon: Exact, delta: Exact) -> Case:
        made, held = learner(3, epsilon, delta), f"{n} rows, nearly all alike, in uniform order"
        setting = f"p=3, {held}, epsilon={epsilon}, delta={delta}"
        sizes, law = line.stages(n), made.blocks_law
        return alike(target, setting, made, CROWD, n, counted, sizes, law)

    return (
        staged(2, plane(2), (4, 0), "1", "1/10"),
        staged(2, plane(2), (0, 4), "1/2", "1/100"),
        staged(2, plane(2)[1:], (2, 1), "1", "1/20"),
        staged(3, CROWD, (6, 0), "1", "1/20"),
        staged(3, CROWD[::2], (3, 2), "2", "1/1000"),
        dealt(4, "1", "1/10"),
        staged(2, plane(2)[1:], (2, 0), "6", "1/20", tight=False),
    ), (
        Probe(nearly(1000, "1/50", "2e-4"), 300, CROWD[:1] * 1000),
        Probe(nearly(1000, "8", "1e-870"), 300, CROWD[:1] * 1000),
    )


def voting_line_learner() -> Audited:
    """Lines by vote: small and large blocks, by position and in a uniform order.

    Single rows of one poll vote alike whatever their order.
    """
    target = "voting-line-learner"

    def learner(p: int, epsilon: Exact, delta: Exact, voters: int) -> learners.VotingLineLearner:
        field = concepts.Lines(p)
        return learners.VotingLineLearner(field, epsilon=epsilon, delta=delta, voters=voters)

    def voted(
        p: int,
        universe: tuple[NullableRow, ...],
        blocks: tuple[int, int, int],
        epsilon: Exact,
        delta: Exact,
        *,
        by: str = "position",
        tight: bool = False,
    ) -> Case:
        voters, small, large = blocks
        made, n = learner(p, epsilon, delta, voters), voters * (small + large)
        held = f"{voters} voters with blocks of {small} and of {large}, by {by}"
        placed = by_position([small] * voters + [large] * voters, counted, made.blocks_law)
        return case(
            target,
            f"p={p}, n={n}, {held}, epsilon={epsilon}, delta={delta}",
            made,
            universe,
            n,
            counted,
            transcript=placed if by == "position" else None,
            symmetric=by != "position" or n == voters,
            tight=tight,
        )

    def nearly(n: int, epsilon: Exact, delta: Exact) -> Case:
        """Deal the rows to 20 voters of each kind."""
        made, small = learner(3, epsilon, delta, 20), n // (20 * (1 + voting_line.RATIO))
        setting = f"p=3, n={n}, 20 voters, nearly all alike, epsilon={epsilon}, delta={delta}"
        sizes, law = [small] * 20 + [n // 20 - small] * 20, made.blocks_law
        return alike(target, setting, made, CROWD, n, counted, sizes, law)

    return (
        voted(2, plane(2), (4, 0, 1), "1", "1/10", tight=True),
        voted(3, CROWD, (6, 1, 0), "1/2", "1/20", tight=True),
        voted(3, CROWD[:3], (3, 0, 2), "1", "1/100", tight=True),
        voted(3, CROWD[:3], (3, 1, 1), "2", "1/20", tight=True),
        voted(3, CROWD[:3], (2, 1, 2), "1", "1/10", tight=True),
        voted(2, plane(2)[1::2], (2, 0, 2), "1", "1/10", by="uniform order"),
        voted(2, plane(2)[1:4], (1, 1, 6), "1", "1/10", by="uniform order"),
        voted(2, plane(2)[1:4], (2, 0, 1), "6", "1/20"),
    ), (
        Probe(nearly(1000, "1/10", "1/50"), 100, CROWD[:1] * 1000),
        Probe(nearly(1000, "8", "4e-33"), 100, CROWD[:1] * 1000),
    )
