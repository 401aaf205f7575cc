"""Learners made from others: the best of several, boosted, on a secret sample, optimised."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from tacit import concepts, learners
from tacit.core.chance.law import Law
from tacit.core.composition.subsampling import amplified
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.learners.made_from.optimisation import Solutions
from tacit.verify.cases.algebra import CROWD, counted, cube
from tacit.verify.cases.statement import Audited, Row, case, rows, spent
from tacit.verify.dealing import alike, by_position
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe

POINTS = rows((0, 1))


def selected_learner() -> Audited:
    """The best of several learners: all that is trained and the choice told, by position."""
    target = "selected-learner"

    def selected(
        candidates: Sequence[Any],
        sizes: tuple[int, int],
        epsilon: str,
        n: int,
        *,
        delta: Exact = 0,
        tight: bool = False,
    ) -> Case:
        search = learners.SelectedLearner(candidates, sizes=sizes, epsilon=epsilon)
        names = ", ".join(str(candidate.hypotheses) for candidate in candidates)
        return case(
            target,
            f"{names}, sizes={sizes}, n={n}, epsilon={epsilon}",
            search,
            POINTS,
            n,
            labelled,
            claim=spent(search.cost, delta),
            transcript=by_position((*sizes, n - sum(sizes)), labelled, search.transcript),
            symmetric=False,
            tight=tight,
        )

    def nearly(n: int, epsilon: str) -> Case:
        sizes = (n // 4, n // 4)
        search = learners.SelectedLearner(both(epsilon), sizes=sizes, epsilon=epsilon)
        return alike(
            target,
            f"points, thresholds, sizes={sizes}, n={n}, nearly all alike, epsilon={epsilon}",
            search,
            POINTS,
            n,
            labelled,
            [*sizes, n - sum(sizes)],
            lambda parts: search.transcript(parts).map(lambda found: found[1]),
            claim=spent(search.cost),
        )

    def both(epsilon: Exact, other: Exact | None = None) -> list[Any]:
        points, line = concepts.Points(1), concepts.Thresholds(1)
        return [
            learners.GenericLearner(points, epsilon=epsilon),
            learners.GenericLearner(line, epsilon=other or epsilon),
        ]

    stable = learners.StablePointLearner(concepts.Points(1), epsilon=1, delta="1/10")
    return (
        selected(both(1), (1, 1), "1", 4),
        selected(both("1/2", 2), (1, 1), "1/4", 3),
        selected([stable, both(1)[1]], (2, 1), "1", 4, delta="1/10", tight=True),
        selected(both("1/3"), (1, 1), "1/6", 3),
        selected(both(6), (1, 1), "6", 3),
    ), tuple(Probe(nearly(1000, e), 300, ((0, (0,)),) * 1000) for e in ("1/500", "8"))


def confidence_booster() -> Audited:
    """The confidence booster around pure and approximate learners."""
    target = "confidence-booster"

    def boosted(
        name: str,
        base: Any,
        blocks: tuple[int, int],
        epsilon: Exact,
        claim: Pure | Approximate,
        universe: Sequence[Row | None],
        n: int,
        *,
        by: str = "position",
        tight: bool = False,
    ) -> Case:
        repeats, size = blocks
        booster = learners.ConfidenceBooster(base, rows=size, repeats=repeats, epsilon=epsilon)
        sizes = [*[size] * repeats, n - repeats * size]
        placed = by_position(sizes, counted, booster.blocks_law)
        return case(
            target,
            f"{name}, {repeats} blocks of {size}, n={n}, by {by}, epsilon={claim.epsilon}",
            booster,
            universe,
            n,
            counted,
            claim=claim,
            transcript=placed if by == "position" else None,
            symmetric=by != "position",
            tight=tight,
        )

    def parity(epsilon: Exact, attempts: int) -> learners.ParityLearner:
        return learners.ParityLearner(concepts.Parities(1), epsilon=epsilon, attempts=attempts)

    def points(base: Exact, epsilon: Exact, n: int) -> Case:
        generic, by = learners.GenericLearner(concepts.Points(1), epsilon=base), "uniform order"
        return boosted("points", generic, (2, 1), epsilon, Pure(epsilon), POINTS, n, by=by)

    def nearly(n: int, epsilon: str) -> Case:
        base, third = learners.GenericLearner(concepts.Points(1), epsilon=epsilon), n // 3
        booster = learners.ConfidenceBooster(base, rows=third, repeats=2, epsilon=epsilon)
        return alike(
            target,
            f"points, 2 blocks of {third}, n={n}, nearly all rows alike, epsilon={epsilon}",
            booster,
            POINTS,
            n,
            counted,
            [third, third, n - 2 * third],
            booster.blocks_law,
            claim=Pure(epsilon),
        )

    votes = learners.VotingLineLearner(concepts.Lines(3), epsilon=1, delta="1/10", voters=2)
    pair, single = parity("1/2", 2), parity(1, 1)
    return (
        boosted("parities", pair, (2, 2), "1/2", Pure("1/2"), cube(1)[1:], 5),
        boosted("a single parity", single, (1, 3), "1/2", Pure(1), cube(1), 4, tight=True),
        points(1, 2, 4),
        boosted("a vote on lines", votes, (2, 2), 1, Approximate(1, "1/10"), CROWD[1:4], 5),
        points(6, 6, 3),
    ), tuple(Probe(nearly(1000, e), 200, POINTS[:1] * 1000) for e in ("1/500", "8"))


def empirical_learner() -> Audited:
    """Learners on rows drawn in secret, with replacement, over all databases."""

    def sampled(base: Any, drawn: int, n: int, privacy: Privacy | None = None) -> Case:
        learner = learners.EmpiricalLearner(base, drawn=drawn, rows=n, privacy=privacy)
        kept = privacy and amplified(learner.cost, privacy)
        return case(
            "empirical-learner",
            f"{drawn} of {n} rows, {type(base).__name__}, {learner.privacy}",
            learner,
            POINTS,
            n,
            labelled,
            claim=Approximate(kept.epsilon, kept.delta) if kept else spent(learner.cost),
        )

    def line(epsilon: Exact) -> Any:
        return learners.GenericLearner(concepts.Thresholds(1), epsilon=epsilon)

    def points(epsilon: Exact) -> Any:
        return learners.GenericLearner(concepts.Points(1), epsilon=epsilon)

    def stable(drawn: int, n: int, epsilon: Exact, delta: Exact) -> Case:
        base = learners.StablePointLearner(concepts.Points(1), epsilon=epsilon, delta=delta)
        return sampled(base, drawn, n, Privacy(epsilon, delta))

    return (
        sampled(line(1), 3, 4),
        sampled(points(2), 2, 5),
        stable(4, 4, 1, "1/10"),
        stable(3, 5, "1/2", "1/50"),
        sampled(line(8), 1, 3),
        sampled(points(7), 3, 3),
    ), (Probe(sampled(line(1), 3, 1000)), Probe(sampled(line(20), 5, 1000)))


Score: TypeAlias = Callable[[Sequence[int], Any], int]


def optimiser() -> Audited:
    """The optimiser, given its solutions: the commonest value, and rows for thresholds."""
    values = (0, 1, 2)

    def how_often(database: Sequence[int], value: int) -> int:
        return sum(row == value for row in database)

    def fit(database: Sequence[int], table: Sequence[int]) -> int:
        """Return minus the greatest error of a table of half as many rows, over all thresholds."""
        return -max(
            abs(sum(row >= q for row in database) - 2 * sum(made >= q for made in table))
            for q in values
        )

    def best(name: str, among: Sequence[Hashable], score: Score, n: int, epsilon: str) -> Case:
        solutions = Solutions(lambda _: among, len(among), Fraction(0), Fraction(0))
        found: learners.Optimiser[int, Any] = learners.Optimiser(solutions, score, epsilon=epsilon)

        def law(database: tuple[int, ...]) -> Law[Any]:
            return found.law(database, among)

        setting, tight = f"{name}, n={n}, epsilon={epsilon}", len(among) == 2
        return case("optimiser", setting, found, values, n, law=law, tight=tight)

    def commonest(n: int, epsilon: str) -> Case:
        return best("commonest value", values, how_often, n, epsilon)

    tables = tuple(combinations_with_replacement(values, 2))
    return (
        commonest(3, "1/2"),
        best("commonest of two values", values[:2], how_often, 40, "1"),
        best("synthetic rows", tables, fit, 4, "2"),
        commonest(3, "6"),
    ), tuple(Probe(commonest(1000, epsilon)) for epsilon in ("1/20", "8"))
