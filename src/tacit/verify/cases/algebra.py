"""Learners by algebra: parities and lines, in blocks by position and in a uniform order."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tacit import concepts, learners, statistics
from tacit.core import Approximate, Exact
from tacit.learners.algebra import line, voting_line
from tacit.verify.cases.statement import Audited, Row, case, rows
from tacit.verify.dealing import alike, placed
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

    def learner(dims: int, epsilon: Exact, attempts: int, blocks: int = 1) -> Any:
        parities = concepts.Parities(dims)
        return learners.ParityLearner(parities, epsilon=epsilon, attempts=attempts, blocks=blocks)

    def learned(made: Any, n: int, *, null: bool = False, tight: bool = False) -> Case:
        universe = (*cube(made.concepts.dims), None) if null else cube(made.concepts.dims)
        about = f"{made.concepts}, {made.attempts} attempts, {made.blocks} blocks"
        return case(made, n, about, universe, counted, tight=tight)

    solved = tuple((x, (x[0],)) for x in product((0, 1), repeat=2)) * 250  # one parity explains all
    return (
        learned(learner(1, "1", 1), 4, tight=True),
        learned(learner(2, "1/2", 1), 3, tight=True),
        learned(learner(1, "1", 24), 4),
        learned(learner(2, "2", 6), 3),
        learned(learner(1, "1/10", 24), 3, null=True),
        learned(learner(1, "3", 8), 9, tight=True),
        placed(learner(1, "1", 1, 2), [2, 2], "dims=1, 2 blocks", cube(1), read=counted),
        learned(learner(1, "2", 3, 2), 4),
        learned(learner(1, "6", 3), 3),
    ), tuple(Probe(learned(learner(2, epsilon, 1), 1000), 600, solved) for epsilon in ("1/10", "8"))


def block_parity_learner() -> Audited:
    """k parities from votes of blocks: by position, and rows that nearly all say the same."""

    def learner(labels: int, epsilon: Exact, delta: Exact) -> dict[str, Any]:
        """Return a learner, how it reads rows, how a block votes, and what votes tell."""
        bit, read = concepts.Parities(1), jointly(labels)
        made = learners.BlockParityLearner(bit, labels=labels, epsilon=epsilon, delta=delta)
        votes = cache(lambda part: made.vote(read(part)))
        return {"learner": made, "read": read, "vote": votes, "law": made.law_of_votes}

    def voted(
        blocks: int, universe: tuple[Row, ...], epsilon: Exact, delta: Exact, *, tight: bool = True
    ) -> Case:
        k = len(universe[0][1])
        about, how = f"d=1, {k} labels, {blocks} blocks of 2", learner(k, epsilon, delta)
        return placed(sizes=[2] * blocks, about=about, universe=universe, tight=tight, **how)

    def nearly(n: int, epsilon: Exact, delta: Exact) -> Case:
        how = learner(10, epsilon, delta)
        size, blocks = how["learner"].plan(n)
        universe, about = (said, ((1,), (0,) * 10)), f"d=1, 10 labels, {blocks} blocks of {size}"
        return alike(sizes=[size] * blocks, n=n, about=about, universe=universe, **how)

    said, bit = ((1,), (1,) * 10), ((0,), (1,))
    few = tuple((x, (y, y, 0)) for x in bit for y in (0, 1))
    return (
        voted(2, rows(bit), "1", "1/10"),
        voted(3, rows(bit), "1/2", "1/50"),
        voted(2, rows(bit, 2), "2", "1/20"),
        voted(2, rows(bit), "6", "1/50", tight=False),
        voted(2, few, "1", "1/20", tight=False),
        *(voted(3, rows(bit), epsilon, 0, tight=False) for epsilon in ("1", "3", "6")),
        voted(2, rows(bit, 2), "2", 0, tight=False),
    ), (
        Probe(nearly(1000, "1/50", "1/5000"), 60, (said,) * 1000, 0),
        Probe(nearly(100, "8", "1e-171"), 100, (said,) * 100),
        Probe(nearly(100, "4", 0), 100, (said,) * 100),
    )


def line_learner() -> Audited:
    """The line learner: its stages and both together, on planes with few points."""

    def learner(p: int, epsilon: Exact, delta: Exact) -> learners.LineLearner:
        return learners.LineLearner(concepts.Lines(p), epsilon=epsilon, delta=delta)

    def staged(
        made: Any, universe: tuple[NullableRow, ...], *stages: int, tight: bool = True
    ) -> Case:
        about = f"{made.concepts}, {' + '.join(map(str, stages))} rows of {len(universe)} kinds"
        symmetric = 0 in stages
        return placed(made, stages, about, universe, read=counted, symmetric=symmetric, tight=tight)

    def nearly(epsilon: Exact, delta: Exact) -> Case:
        made, sizes = learner(3, epsilon, delta), line.stages(1000)
        return alike(made, sizes, 1000, "p=3", CROWD, read=counted)

    return (
        staged(learner(2, "1", "1/10"), plane(2), 4, 0),
        staged(learner(2, "1/2", "1/100"), plane(2), 0, 4),
        staged(learner(2, "1", "1/20"), plane(2)[1:], 2, 1),
        staged(learner(3, "1", "1/20"), CROWD, 6, 0),
        staged(learner(3, "2", "1/1000"), CROWD[::2], 3, 2),
        case(learner(3, "1", "1/10"), 4, "p=3, in a uniform order", CROWD, counted),
        staged(learner(2, "6", "1/20"), plane(2)[1:], 2, 0, tight=False),
    ), tuple(
        Probe(nearly(epsilon, delta), 300, CROWD[:1] * 1000)
        for epsilon, delta in (("1/50", "2e-4"), ("8", "1e-870"))
    )


def published_line_learner() -> Audited:
    """Lines by the vote of blocks of a random size, as published, and boosted as published."""

    def learner(p: int, epsilon: Exact, delta: Exact, *sizes: int) -> Any:
        voters, smallest, scales = sizes
        given = {"voters": voters, "smallest": smallest, "scales": scales}
        made = learners.PublishedLineLearner
        return made(concepts.Lines(p), epsilon=epsilon, delta=delta, **given)

    def voted(made: Any, universe: tuple[NullableRow, ...], *, tight: bool = True) -> Case:
        about = f"{made.concepts}, {made.voters} voters, {made.scales} sizes"
        sizes, once = made.block_sizes(made.rows), made.rows == made.voters
        return placed(made, sizes, about, universe, read=counted, symmetric=once, tight=tight)

    def boosted(rest: int) -> Case:
        base = learner(3, "1", "1/20", 2, 0, 1)
        made: Any = learners.ConfidenceBooster(base, rows=2, repeats=2, epsilon=1)
        claim = Approximate(1, "1/20")
        return placed(made, [2, 2, rest], "boosted", CROWD[:3], read=counted, claim=claim)

    def nearly(epsilon: Exact, delta: Exact) -> Case:
        made = learner(3, epsilon, delta, 20, 4, 2)
        return alike(made, made.block_sizes(1000), 1000, "p=3, 20 voters", CROWD, read=counted)

    return (
        voted(learner(2, "1", "1/10", 4, 0, 1), plane(2)),
        voted(learner(3, "1/2", "1/20", 3, 0, 2), CROWD[:3]),
        voted(learner(3, "2", "1/20", 1, 0, 3), CROWD),
        case(
            learner(2, "1", "1/10", 2, 0, 2), 4, "p=2, in a uniform order", plane(2)[1::2], counted
        ),
        boosted(1),
        voted(learner(2, "6", "1/20", 2, 0, 2), plane(2)[1:4], tight=False),
    ), tuple(
        Probe(nearly(epsilon, delta), 100, CROWD[:1] * 1000)
        for epsilon, delta in (("1/10", "1/50"), ("8", "4e-33"))
    )


def voting_line_learner() -> Audited:
    """Lines by vote: small and large blocks, by position and in a uniform order.

    Single rows of one poll vote alike whatever their order.
    """

    def learner(p: int, epsilon: Exact, delta: Exact, voters: int) -> learners.VotingLineLearner:
        field = concepts.Lines(p)
        return learners.VotingLineLearner(field, epsilon=epsilon, delta=delta, voters=voters)

    def voted(
        made: Any, universe: tuple[NullableRow, ...], small: int, large: int, *, tight: bool = True
    ) -> Case:
        sizes = [small] * made.voters + [large] * made.voters
        about = f"{made.concepts}, {made.voters} voters with blocks of {small} and of {large}"
        symmetric = small + large == 1
        return placed(made, sizes, about, universe, read=counted, symmetric=symmetric, tight=tight)

    def nearly(epsilon: Exact, delta: Exact) -> Case:
        """Deal the rows to 20 voters of each kind."""
        small = 1000 // (20 * (1 + voting_line.RATIO))
        made, sizes = learner(3, epsilon, delta, 20), [small] * 20 + [50 - small] * 20
        return alike(made, sizes, 1000, "p=3, 20 voters", CROWD, read=counted)

    def ordered(voters: int, n: int, universe: tuple[NullableRow, ...]) -> Case:
        about = f"p=2, {voters} voters, in a uniform order"
        return case(learner(2, "1", "1/10", voters), n, about, universe, counted)

    return (
        voted(learner(2, "1", "1/10", 4), plane(2), 0, 1),
        voted(learner(3, "1/2", "1/20", 6), CROWD, 1, 0),
        voted(learner(3, "1", "1/100", 3), CROWD[:3], 0, 2),
        voted(learner(3, "2", "1/20", 3), CROWD[:3], 1, 1),
        voted(learner(3, "1", "1/10", 2), CROWD[:3], 1, 2),
        ordered(2, 4, plane(2)[1::2]),
        ordered(1, 7, plane(2)[1:4]),
        voted(learner(2, "6", "1/20", 2), plane(2)[1:4], 0, 1, tight=False),
    ), tuple(
        Probe(nearly(epsilon, delta), 100, CROWD[:1] * 1000)
        for epsilon, delta in (("1/10", "1/50"), ("8", "4e-33"))
    )
