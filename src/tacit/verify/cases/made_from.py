"""Learners made from others: the best of several, boosted, on a secret sample, optimised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit import concepts, learners
from tacit.concepts.line.points import Point
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Approximate, Exact, Privacy, Pure
from tacit.core.chance.law import Law, product
from tacit.core.composition.subsampling import amplified
from tacit.mechanisms.measuring.measurement import Measurement
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.theory.optimisation.centre_points import centre_points
from tacit.theory.optimisation.problem import Problem, WorstTest, sanitization
from tacit.theory.optimisation.satisfiability import three_satisfiability
from tacit.theory.optimisation.solution_sets import SolutionSets
from tacit.verify.cases.algebra import CROWD, counted, cube
from tacit.verify.cases.statement import Audited, case, cut, rows, spent
from tacit.verify.dealing import alike, placed
from tacit.verify.enumeration import Case
from tacit.verify.route import as_it_is, jointly, labelled
from tacit.verify.sampling import Probe

POINTS = rows((0, 1))


def _points(epsilon: Exact) -> Any:
    return learners.GenericLearner(concepts.Points(1), epsilon=epsilon)


def _line(epsilon: Exact) -> Any:
    return learners.GenericLearner(concepts.Thresholds(1), epsilon=epsilon)


def weighted_learner() -> Audited:
    """Choices by weighted agreements, of misses and of alarms that cost more, and a moved card."""

    def learned(alone: Any, n: int, odds: Exact, *, tight: bool = False) -> Case:
        about = f"{type(alone).__name__}, a miss costs {odds}"
        made = learners.WeightedLearner(alone, [odds])
        return case(made, n, about, POINTS, claim=alone.cost, tight=tight)

    short = learners.ShortRuleLearner(
        Rules([Column("a", 0, 1)], [Literal(0, "=", 1)], 1, negated=True), epsilon=1
    )
    card = learners.CountedLearner(Scorecards("2"), epsilon=1, caution=0)
    return (
        learned(_points(1), 3, 5, tight=True),
        learned(_points("1/3"), 3, "2/3", tight=True),
        learned(_line(6), 3, "1/2"),
        learned(learners.PriorLearner(concepts.Thresholds(1), epsilon=2), 2, "5/2"),
        learned(short, 3, 3),
        learned(card, 2, 4),
    ), tuple(Probe(learned(_points(e), 1000, "5/2"), 300) for e in ("1/20", "8"))


def _stable(epsilon: Exact, delta: Exact) -> Any:
    return learners.StablePointLearner(concepts.Points(1), epsilon=epsilon, delta=delta)


def cut_readings(told: Sequence[Any]) -> tuple[Any, ...]:
    """Cut what was measured to 0 and the rows held out, as its law does."""
    return tuple(
        replace(
            each,
            errors=(ends := cut(0, each.n))(each.errors),
            positives=ends(each.positives),
            cells=ends(each.cells),
        )
        for each in told
    )


def cut_groups(told: Any) -> Any:
    """Cut what was measured, of all rows and of groups, as its law does."""
    readings, grouped = told
    lines = ("errors", "positives", "rows")
    ends = [{line: cut(0, each.n)(getattr(each, line)) for line in lines} for each in grouped]
    return cut_readings(readings), tuple(map(lambda e, kept: replace(e, **kept), grouped, ends))


def selected_learner() -> Audited:
    """The best of several learners: all that is trained and the choice told, by position."""

    def selected(
        first: Any,
        second: Any,
        sizes: tuple[int, int],
        epsilon: str,
        rest: int,
        *,
        alone: bool = False,
        **more: Any,
    ) -> Case:
        public: dict[str, Any] = {"sizes": sizes, "epsilon": epsilon, "alone": alone}
        search = learners.SelectedLearner([first, second], **public)
        claim = spent(search.cost, getattr(first, "delta", 0))
        told = {"law": search.transcript, "claim": claim, **more}
        return placed(search, [*sizes, rest], f"sizes {sizes} and {rest}, {alone=}", POINTS, **told)

    def nearly(epsilon: str, *, alone: bool) -> Case:
        both = [_points(epsilon), _line(epsilon)]
        search = learners.SelectedLearner(both, sizes=(250, 250), epsilon=epsilon, alone=alone)
        return alike(
            search,
            [250, 250, 500],
            1000,
            "points, thresholds",
            POINTS,
            law=lambda parts: search.transcript(parts).map(lambda found: found[1]),
            claim=spent(search.cost),
        )

    return (
        selected(_points(1), _line(1), (1, 1), "1", 2),
        selected(_points("1/2"), _line(2), (1, 1), "1/4", 1),
        selected(_stable(1, "1/10"), _line(1), (2, 1), "1", 1, tight=True),
        selected(_points("1/3"), _line("1/3"), (1, 1), "1/6", 1),
        selected(_points(6), _line(6), (1, 1), "6", 1),
        selected(_points("1/3"), _line("1/3"), (1, 1), "1", 2, alone=True, tight=True),
        selected(_points(1), _line(1), (1, 1), "6", 1, alone=True),
    ), tuple(
        Probe(nearly(e, alone=alone), 300, ((0, (0,)),) * 1000)
        for e, alone in (("1/500", False), ("8", False), ("1/50", True))
    )


def measured_learner() -> Audited:
    """A rule and what was measured of it on other rows, both told, by position."""

    def both(found: Any) -> Any:
        return found[0], cut_readings(found[1])

    def made(epsilon: Exact, rows: int) -> Any:
        learner = learners.DirectSum(_points(epsilon), 1)
        return learners.MeasuredLearner.within(learner, Privacy(epsilon), rows=rows)

    def measured(learner: Any, n: int) -> Case:
        sizes, about = learner.block_sizes(n), f"{learner.rows} rows held out"
        told: dict[str, Any] = {"read": jointly(1), "shown": both, "claim": spent(learner.cost)}
        return placed(learner, sizes, about, POINTS, **told)

    def nearly(epsilon: str) -> Case:
        learner = made(epsilon, 40)
        part = Measurement.of_rows(Fraction(epsilon), 40).errors
        noise = DiscreteLaplace(part * Fraction(epsilon))

        def law(blocks: Sequence[Any]) -> Any:
            """Tell the rule and its errors."""
            learned, held = blocks
            return learner.learner.law(learned).then(
                lambda rules: noise.law(
                    learner.measuring(rules).counted(held)[0].errors, low=0, high=40
                ).map(lambda errors: (rules, errors))
            )

        def learn(sample: Any, *, rng: Any) -> Any:
            rules, (told,) = learner(sample, rng=rng)
            return rules, cut(0, 40)(told.errors)

        sizes, claim = learner.block_sizes(1000), spent(learner.cost)
        return alike(learn, sizes, 1000, "points", POINTS, read=jointly(1), law=law, claim=claim)

    def grouped() -> Case:
        """Tell it in groups too, by a column that is not learned from."""
        learner = learners.DirectSum(_points(1), 1)
        apart = learners.MeasuredLearner.within(learner, Privacy(1), rows=1, place=1, edges=(1,))
        told: dict[str, Any] = {"read": jointly(1), "claim": spent(apart.cost)}
        told["shown"] = lambda found: (found[0], cut_groups(found[1]))
        universe = [((1, 0), (0,)), ((1, 1), (1,)), ((0, 0), (1,)), ((0, 1), (0,))]
        return placed(apart, [1, 1], "in groups", universe, **told)

    uniform: dict[str, Any] = {"claim": Pure(2), "shown": both}
    return (
        measured(made(1, 1), 3),
        grouped(),
        measured(made("1/3", 1), 2),
        measured(made(6, 1), 2),
        case(made(2, 1), 2, "points, in a uniform order", POINTS, jointly(1), **uniform),
    ), tuple(Probe(nearly(e), 300, ((0, (0,)),) * 1000) for e in ("1/100", "8"))


def rule_measurement() -> Audited:
    """One rule, and two labels' rules, on rows that they do not come from."""

    def measured(labels: int, epsilon: Exact, n: int) -> Case:
        hypotheses = tuple(Point(x) for x in range(labels))
        mechanism = learners.RuleMeasurement(hypotheses, concepts.Points(1), Fraction(epsilon))
        universe = rows((0, 1), labels)[:4]
        told: dict[str, Any] = {"shown": cut_readings, "claim": spent(mechanism.cost)}
        return case(
            mechanism, n, f"{labels} labels", universe, jointly(labels), labels=labels, **told
        )

    def few(epsilon: str, n: int, universe: Sequence[Any], low: int, high: int) -> Case:
        """Tell the errors of more rows."""
        each, ends = Fraction(epsilon), cut(low, high)
        mechanism = learners.RuleMeasurement((Point(1),), concepts.Points(1), each)
        noise = DiscreteLaplace(Measurement.of_rows(each, n).errors * each)
        return case(
            mechanism,
            n,
            "errors",
            universe,
            jointly(1),
            labels=1,
            law=lambda sample: noise.law(sample.marginal().mistakes(Point(1)), low=low, high=high),
            shown=lambda told: ends(told[0].errors),
        )

    both = POINTS[2:]
    return (
        measured(1, 1, 2),
        measured(2, "1/2", 1),
        few("1/3", 3, POINTS, 0, 3),
        few("6", 3, POINTS, 0, 3),
    ), tuple(Probe(few(e, 1000, both, 480, 520), 600, both * 500) for e in ("1/2", "8"))


def grouped_measurement() -> Audited:
    """A rule on all rows, and in two groups by a column of its own, or by one that it uses."""

    def made(epsilon: Exact, place: int) -> Any:
        each = Fraction(epsilon) / 2
        rules = learners.RuleMeasurement((Point(1),), concepts.Points(1), each)
        return learners.GroupedMeasurement(rules, place, (1,))

    def measured(universe: Sequence[Any], place: int) -> Case:
        mechanism = made(1, place)
        told: dict[str, Any] = {"shown": cut_groups, "claim": spent(mechanism.cost)}
        return case(mechanism, 1, f"by column {place}", universe, jointly(1), labels=1, **told)

    def few(epsilon: Exact, n: int, universe: Sequence[Any], low: int, high: int) -> Case:
        """Tell all errors, and the rows of the groups, of more rows."""
        each, ends = Fraction(epsilon) / 2, cut(low, high)
        part = Measurement.of_rows(each, n).errors
        noise = DiscreteLaplace(part * each), DiscreteLaplace(each / 4, 2)

        def law(sample: Any) -> Law[Any]:
            held = sample.marginal()
            (says, group), ones = held.points.T, held.positives[:, 0]
            errors = int(np.where(says == 1, held.totals - ones, ones).sum())
            sizes = [int(held.totals[group == g].sum()) for g in (0, 1)]
            return product(
                [noise[0].law(errors, low=low, high=high), noise[1].law(sizes, low=low, high=high)]
            )

        return case(
            made(epsilon, 1),
            n,
            "errors and rows",
            universe,
            jointly(1),
            labels=1,
            claim=Pure(epsilon),
            law=law,
            shown=lambda told: (ends(told[0][0].errors), ends(told[1][0].rows)),
        )

    apart = [((x, g), (y,)) for x in (0, 1) for g in (0, 1) for y in (0, 1)]
    many = (apart[4], apart[7])
    return (
        measured(apart, 1),
        measured(rows((0, 1)), 0),
        few("1/2", 3, apart, 0, 3),
        few(6, 3, apart, 0, 3),
    ), tuple(Probe(few(e, 1000, many, 492, 508), 600, many * 500) for e in ("1/2", 8))


def confidence_booster() -> Audited:
    """The confidence booster around pure and approximate learners."""

    def booster(base: Any, repeats: int, size: int, epsilon: Exact, *, alone: bool = False) -> Any:
        public: dict[str, Any] = {"rows": size, "repeats": repeats, "alone": alone}
        return learners.ConfidenceBooster(base, **public, epsilon=epsilon)

    def boosted(made: Any, rest: int, about: str, universe: Sequence[Any], **more: Any) -> Case:
        sizes = [*[made.rows] * made.repeats, rest]
        return placed(made, sizes, about, universe, read=counted, **more)

    def parity(epsilon: Exact, attempts: int) -> Any:
        return learners.ParityLearner(concepts.Parities(1), epsilon=epsilon, attempts=attempts)

    def points(base: Exact, epsilon: Exact, n: int, *, alone: bool = False) -> Case:
        made = booster(_points(base), 2, 1, epsilon, alone=alone)
        about = f"points, in a uniform order, {alone=}"
        return case(made, n, about, POINTS, counted, claim=Pure(epsilon))

    def nearly(epsilon: str, *, alone: bool) -> Case:
        made = booster(_points(epsilon), 2, 333, epsilon, alone=alone)
        sizes = [333, 333, 334]
        return alike(made, sizes, 1000, "points", POINTS, read=counted, claim=Pure(epsilon))

    votes = learners.VotingLineLearner(concepts.Lines(3), epsilon=1, delta="1/10", voters=2)
    pair, single = booster(parity("1/2", 2), 2, 2, "1/2"), booster(parity(1, 1), 1, 3, "1/2")
    lines, both = booster(votes, 2, 2, 1), Approximate(1, "1/10")
    return (
        boosted(pair, 1, "parities", cube(1)[1:], claim=Pure("1/2")),
        boosted(single, 1, "a single parity", cube(1), claim=Pure(1), tight=True),
        points(1, 2, 4),
        boosted(lines, 1, "a vote on lines", CROWD[1:4], claim=both),
        points(6, 6, 3),
        points(1, 2, 4, alone=True),
    ), tuple(
        Probe(nearly(e, alone=alone), 200, POINTS[:1] * 1000)
        for e, alone in (("1/500", False), ("8", False), ("1/50", True))
    )


def empirical_learner() -> Audited:
    """Learners on rows drawn in secret, with replacement, over all databases."""

    def sampled(base: Any, drawn: int, n: int) -> Case:
        privacy = Privacy(base.epsilon, base.delta) if hasattr(base, "delta") else None
        learner = learners.EmpiricalLearner(base, drawn=drawn, rows=n, privacy=privacy)
        kept = privacy and amplified(learner.cost, privacy)
        claim = Approximate(kept.epsilon, kept.delta) if kept else spent(learner.cost)
        about, many = f"{drawn} rows, {type(base).__name__}", getattr(base, "labels", 0)
        read, universe = (jointly(many), rows((0, 1), many)) if many else (labelled, POINTS)
        return case(learner, n, about, universe, read, claim=claim)

    together = learners.HistogramLearner(concepts.Points(1), labels=2, epsilon=2, delta="1/10")
    return (
        sampled(together, 2, 3),
        sampled(_line(1), 3, 4),
        sampled(_points(2), 2, 5),
        sampled(_stable(1, "1/10"), 4, 4),
        sampled(_stable("1/2", "1/50"), 3, 5),
        sampled(_line(8), 1, 3),
        sampled(_points(7), 3, 3),
    ), (Probe(sampled(_line(1), 3, 1000)), Probe(sampled(_line(20), 5, 1000)))


def optimiser() -> Audited:
    """The optimiser: common values, synthetic rows, deep points of no grid, drawn assignments."""
    queries = np.array([[0, 1, 1], [0, 0, 1]], dtype=np.bool_)
    places = ((0, 0), (3, 1), (1, 2), ("1/2", 1))

    def best(about: str, problem: Problem[Any, Any], n: int, epsilon: str, **how: Any) -> Case:
        found = how.get("among") or SolutionSets.fixed(problem.solutions)
        made: Any = learners.Optimiser(problem, found, epsilon=epsilon)
        universe = how.get("universe", problem.rows)
        return case(made, n, about, universe, as_it_is, tight=how.get("tight", False))

    def commonest(values: int, n: int, epsilon: str, *, tight: bool = False) -> Case:
        alone = [row[None] for row in np.eye(3, dtype=np.int64)[:values]]
        problem = WorstTest(range(3), range(values), alone)
        return best(f"commonest of {values} values", problem, n, epsilon, tight=tight)

    clauses, even = three_satisfiability(3), Fraction(1, 8)
    drawn = SolutionSets([(each,) for each in clauses.solutions], [even] * 8, draws=2)
    few = ((1, 2, 3), (-1, -2, -3), (1, -2, 3), "no clause")
    return (
        commonest(3, 3, "1/2"),
        commonest(2, 40, "1", tight=True),
        best("synthetic rows", sanitization(queries, 2), 4, "2"),
        best("deep points", centre_points(places[:3], places), 4, "1"),
        best("drawn assignments", clauses, 3, "1", among=drawn, universe=few),
        best("any score", Problem((0, 1), (0, 1), lambda rows, s: rows.count(s)), 3, "2"),
        commonest(3, 3, "6"),
    ), tuple(Probe(commonest(3, 1000, epsilon)) for epsilon in ("1/20", "8"))
