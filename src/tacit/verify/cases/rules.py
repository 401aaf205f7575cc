"""Boxes, halfspaces, margins and rules, in one piece and held by several parties."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit import concepts, learners, statistics
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Approximate, Exact, Law, Pure, composition
from tacit.core.chance.law import product as jointly
from tacit.verify.cases.statement import Audited, Row, Rows, case, counts, cut, rows
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe


def box_ascent_learner() -> Audited:
    """Boxes column by column: every path of choices, on columns of two and three values."""

    def learned(values: str, n: int, epsilon: str, passes: int) -> Case:
        boxes = concepts.Boxes(values=values)
        each = Fraction(epsilon) / (1 + passes * boxes.dims)
        learner = learners.BoxAscentLearner(boxes, epsilon=each, passes=passes, parts=3)
        return case(learner, n, f"{boxes}, {passes} passes", claim=Pure(epsilon))

    return (
        learned("3", 3, "1", 2),
        learned("2x2", 3, "2", 1),
        learned("3", 3, "1/2", 1),
        learned("2", 3, "6", 2),
    ), tuple(Probe(learned("3", 1000, epsilon, 2), 300) for epsilon in ("1/20", "8"))


def per_side_box_learner() -> Audited:
    """Boxes side by side, on columns of two to four values."""

    def learned(values: str, n: int, epsilon: str, rank: int) -> Case:
        boxes = concepts.Boxes(values=values)
        each = Fraction(epsilon) / (2 * boxes.dims)
        learner = learners.PerSideBoxLearner(boxes, epsilon=each, rank=rank)
        return case(learner, n, f"{boxes}, rank {rank}", claim=Pure(epsilon))

    return (
        learned("2x2", 3, "1", 1),
        learned("2x2", 3, "4", 2),
        learned("4", 3, "1", 2),
        learned("3x2", 2, "2", 1),
        learned("3", 3, "1/2", 1),
        learned("2", 3, "6", 1),
    ), tuple(Probe(learned("3", 1000, epsilon, 2), 300) for epsilon in ("1/20", "8"))


def margin_learner() -> Audited:
    """The margin learner in whole and half units: every outcome of the frame and of a step."""

    def learned(
        rho: int,
        epsilon: int,
        n: int,
        universe: tuple[Row, ...],
        values: str = "3",
        caution: int = 0,
        bits: int = 0,
    ) -> Case:
        cards = Scorecards(values)
        learner = learners.MarginLearner(cards, rho=rho, steps=1, bits=bits, caution=caution)
        delta = composition.delta_of_rho(Fraction(rho), Fraction(epsilon))
        about, claim = f"one step, unit {1 << bits}, rho={rho}", Approximate(epsilon, delta)
        return case(learner, n, about, universe, claim=claim)

    universe = rows((0, 2))
    return (
        learned(8, 10, 3, universe[:3]),
        learned(4, 6, 2, universe[1:]),
        learned(8, 16, 1, universe),
        learned(8, 10, 1, universe, "c2"),
        learned(8, 10, 1, universe, "2", bits=1),
        learned(2, 4, 3, universe, caution=3472),
    ), (Probe(learned(8, 10, 1000, universe), 300),)


def short_rule_learner() -> Audited:
    """Rules with a prior by their length: conjunctions of one and two literals, and denials."""

    def learned(width: int, n: int, epsilon: str, *, negated: bool) -> Case:
        bits = [Column("a", 0, 1), Column("b", 0, 1)]
        literals = [Literal(0, "=", 1), Literal(1, "=", 1), Literal(1, "=", 0)]
        rules = Rules(bits, literals[: width + 1], width, negated=negated)
        learner = learners.ShortRuleLearner(rules, epsilon=epsilon)
        points = tuple(product((0, 1), repeat=2))
        return case(learner, n, f"width {width}, {negated=}", rows(points), tight=True)

    return (
        learned(1, 3, "1", negated=True),
        learned(2, 3, "2", negated=True),
        learned(2, 3, "1/10", negated=False),
        learned(1, 3, "6", negated=False),
    ), tuple(Probe(learned(1, 1000, e, negated=True)) for e in ("1/20", "8"))


def counted_learner() -> Audited:
    """All that is told of counts, in three releases, and the card where there is one release."""

    def learned(
        values: str, n: int, epsilon: str, codes: tuple[Any, ...], caution: int = 0
    ) -> Case:
        learner = learners.CountedLearner(Scorecards(values), epsilon=epsilon, caution=caution)
        told = None if caution or n > 2 else learner.told  # a card hides most of what is told
        about, claim = f"{values}, {caution=}", Pure(epsilon)
        return case(learner, n, about, rows(codes), claim=claim, transcript=told, tight=n != 3)

    return (
        learned("2", 3, "1", (0, 1)),
        learned("2", 2, "1/2", (0, 1)),
        learned("2", 2, "6", (0, 1)),
        learned("c3", 1, "2", (0, 1, 2)),
        learned("s3", 1, "1", (0, 1, 2)),
        learned("n3", 1, "1", (0, 2)),
        learned("2xs2", 1, "3", ((0, 0), (1, 1))),
        learned("2", 5, "1", (0, 1), caution=100),
    ), tuple(Probe(learned("2", 1000, e, (0, 1), caution=10**6), 300) for e in ("1/20", "8"))


YES: Row = ((0,), (1,))
NO: Row = ((0,), (0,))
OTHER: Rows = (((1,), (1,)), NO)
WIDE: Rows = (((0, 1), (1,)),)


def _yeses(dims: int) -> tuple[Row, ...]:
    """Return every point with a yes, and one with a no."""
    domain = list(product((0, 1), repeat=dims))
    return (*((x, (1,)) for x in domain), (domain[0], (0,)))


def party_counts() -> Audited:
    """One party's message, as the other sees it: with its own rows, its noise, the transcript."""

    def seen(
        counts: learners.PartyCounts, n: int, other: Rows, near: tuple[int, int] | None = None
    ) -> Case:
        low, high = near or (0, n)

        def law(sample: statistics.LabelCounts) -> Law[Any]:
            return counts.law(sample, low=low, high=high)

        def transcript(sample: statistics.LabelCounts) -> Law[Any]:
            answered = counts.law(labelled(other), low=0, high=max(len(other), 1))
            return jointly([law(sample), answered]).map(lambda told: (other, told))

        told: Any = {"law": law, "shown": cut(low, high), "transcript": transcript}
        return case(counts, n, f"beside {len(other)}", _yeses(counts.dims), **told, tight=True)

    def party(dims: int, epsilon: str, *, monotone: bool = True) -> learners.PartyCounts:
        return learners.PartyCounts(dims, epsilon=epsilon, monotone=monotone)

    return (
        seen(party(1, "1"), 3, (YES,)),
        seen(party(1, "1/10"), 5, OTHER),
        seen(party(1, "2", monotone=False), 4, (YES,)),
        seen(party(2, "1/2"), 3, WIDE),
        seen(party(1, "6"), 3, (YES,)),
    ), (
        Probe(seen(party(1, "1/10"), 1000, (YES,), (300, 380))),
        Probe(seen(party(1, "8"), 1000, (YES,), (320, 345))),
    )


def parties_learner() -> Audited:
    """What two parties learn together: a function of their messages, the second's rows fixed."""

    def learned(dims: int, n: int, epsilon: str, beta: str, other: Rows) -> Case:
        conjunctions = concepts.Conjunctions(dims, dims)
        learner = learners.PartiesLearner(conjunctions, epsilon=epsilon, parties=2, beta=beta)

        def read(database: Rows) -> learners.PartyTables:
            return learners.PartyTables((labelled(database), labelled(other)))

        return case(learner, n, f"{conjunctions}, beside {len(other)}", _yeses(dims), read)

    # positive rows violate a literal about as often as the cut of the noisy test
    return (
        learned(1, 4, "1", "1/20", (YES,)),
        learned(1, 5, "2", "1/2", OTHER),
        learned(2, 2, "1/2", "1/4", WIDE),
        learned(1, 3, "6", "1/4", (YES,)),
    ), (
        Probe(learned(1, 1000, "1/20", "1/4", (YES,)), database=(YES,) * 60 + (NO,) * 940),
        Probe(learned(1, 1000, "8", "1/4", (YES,)), database=(YES,) + (NO,) * 999),
    )


def three_satisfiability() -> Audited:
    """Private assignments: clauses of three literals are the records, and what is none."""
    clauses = ((1, 2, 3), (-1, -2, -3), (1, -2, 3), (-1, 2, -3), (1, -1, 9))

    def solved(n: int, epsilon: Exact) -> Case:
        problem = learners.ThreeSatisfiability(3, epsilon=epsilon)
        return case(problem, n, "3 variables", clauses, counts)

    return (
        (solved(3, "1"), solved(4, "1/2"), solved(2, "6")),
        tuple(Probe(solved(1000, epsilon), 100) for epsilon in ("1/20", "8")),
    )
