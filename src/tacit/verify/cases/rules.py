"""Boxes, halfspaces, margins and rules, in one piece and held by several parties."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit import concepts, learners
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import composition
from tacit.core.chance.law import Law
from tacit.core.chance.law import product as jointly
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.verify.cases.statement import Audited, Row, case, rows, rows_of, spent
from tacit.verify.dealing import alike, by_position
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe


def box_ascent_learner() -> Audited:
    """Boxes column by column: every path of choices, on columns of two and three values."""

    def learned(values: str, n: int, epsilon: str, passes: int) -> Case:
        boxes = concepts.Boxes(values=values)
        each = Fraction(epsilon) / (1 + passes * boxes.dims)
        learner = learners.BoxAscentLearner(boxes, epsilon=each, passes=passes, parts=3)
        setting = f"{boxes}, n={n}, {passes} passes, epsilon={epsilon} for all choices"
        target, universe, claim = "box-ascent-learner", rows_of(boxes), Pure(epsilon)
        return case(target, setting, learner, universe, n, labelled, claim=claim)

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
        setting = f"{boxes}, n={n}, rank={rank}, epsilon={epsilon} for all sides"
        target, universe, claim = "per-side-box-learner", rows_of(boxes), Pure(epsilon)
        return case(target, setting, learner, universe, n, labelled, claim=claim)

    return (
        learned("2x2", 3, "1", 1),
        learned("2x2", 3, "4", 2),
        learned("4", 3, "1", 2),
        learned("3x2", 2, "2", 1),
        learned("3", 3, "1/2", 1),
        learned("2", 3, "6", 1),
    ), tuple(Probe(learned("3", 1000, epsilon, 2), 300) for epsilon in ("1/20", "8"))


def centre_point_halfspace_learner() -> Audited:
    """Halfspaces through a deep point: rows dealt to blocks by position, and in a uniform order."""
    target = "centre-point-halfspace-learner"

    def learner(bits: int, epsilon: str, blocks: int) -> learners.CentrePointHalfspaceLearner:
        halfspaces = concepts.Halfspaces(bits, 1)
        return learners.CentrePointHalfspaceLearner(halfspaces, epsilon=epsilon, blocks=blocks)

    def dealt(n: int, epsilon: str, blocks: int, by: str) -> Case:
        made = learner(1, epsilon, blocks)
        placed = by_position([n // blocks] * blocks, labelled, made.blocks_law)
        return case(
            target,
            f"{made.concepts}, n={n}, {blocks} blocks {by}, epsilon={epsilon}",
            made,
            rows((0, 1)),
            n,
            labelled,
            transcript=placed if by == "by position" else None,
            symmetric=by != "by position",
        )

    def nearly(n: int, epsilon: str, blocks: int) -> Case:
        made = learner(2, epsilon, blocks)
        setting = f"{made.concepts}, n={n}, {blocks} blocks in a uniform order, epsilon={epsilon}"
        sizes, law = [n // blocks] * blocks, made.blocks_law
        return alike(target, setting, made, universe, n, labelled, sizes, law)

    universe: tuple[Row, ...] = ((0, (0,)), (1, (1,)), (3, (1,)))
    return (
        dealt(3, "1", 3, "by position"),
        dealt(4, "2", 2, "in a uniform order"),
        dealt(3, "1/2", 3, "by position"),
        dealt(2, "6", 2, "in a uniform order"),
    ), tuple(Probe(nearly(1000, e, 5), 600, universe[:1] * 1000) for e in ("1/10", "8"))


def margin_learner() -> Audited:
    """The margin learner in whole units: every outcome of the noisy frame and of a step."""

    def learned(rho: int, epsilon: int, n: int, universe: tuple[Row, ...]) -> Case:
        learner = learners.MarginLearner(Scorecards("3"), rho=rho, steps=1, bits=0)
        delta = composition.delta_of_rho(Fraction(rho), Fraction(epsilon))
        how = f"one step in whole units, rho={rho}, at epsilon={epsilon}"
        setting, claim = f"{learner.concepts}, n={n}, {how}", Approximate(epsilon, delta)
        return case("margin-learner", setting, learner, universe, n, labelled, claim=claim)

    universe = rows((0, 2))
    return (
        learned(8, 10, 3, universe[:3]),
        learned(4, 6, 3, universe[1:]),
        learned(8, 16, 2, universe),
    ), (Probe(learned(8, 10, 1000, universe), 300),)


def decision_list_learner() -> Audited:
    """The greedy decision list: every list with its exact probability, over all tiny databases."""

    def learned(
        spec: str, n: int, epsilon: str, *, length: int, caution: int, delta: str = "0"
    ) -> Case:
        learner = learners.DecisionListLearner(
            concepts.parse(spec), epsilon=epsilon, length=length, caution=caution
        )
        setting = f"{spec}, n={n}, {length} rules, caution {caution}, epsilon={epsilon} each"
        target, claim = "decision-list-learner", spent(learner.cost, delta)
        return case(target, setting, learner, rows_of(learner.concepts), n, labelled, claim=claim)

    bit = "conjunctions(dims=1, width=1)"
    return (
        learned("thresholds(bits=1, direction=both)", 3, "1", length=2, caution=2),
        learned(bit, 4, "1/2", length=2, caution=1),
        learned("points(bits=2)", 3, "1", length=1, caution=3),
        learned(bit, 3, "2", length=2, caution=2, delta="1/100"),
        learned(bit, 3, "1/8", length=1, caution=1),
        learned(bit, 3, "6", length=1, caution=1),
    ), tuple(Probe(learned(bit, 1000, e, length=2, caution=2), 300) for e in ("1/20", "8"))


YES: Row = ((0,), (1,))
NO: Row = ((0,), (0,))


def _yeses(dims: int) -> tuple[Row, ...]:
    """Return every point with a yes, and one with a no."""
    domain = list(product((0, 1), repeat=dims))
    return (*((x, (1,)) for x in domain), (domain[0], (0,)))


def party_counts() -> Audited:
    """One party's message, as the other sees it: with its own rows, its noise, the transcript."""

    def seen(
        dims: int,
        n: int,
        epsilon: str,
        other: tuple[Row, ...],
        *,
        monotone: bool = True,
        near: tuple[int, int] | None = None,
    ) -> Case:
        counts = learners.PartyCounts(dims, epsilon=epsilon, monotone=monotone)
        low, high = near or (0, n)

        def law(sample: Any) -> Law[Any]:
            return counts.law(sample, low=low, high=high)

        def transcript(database: tuple[Row, ...]) -> Law[Any]:
            answered = counts.law(labelled(other), low=0, high=max(len(other), 1))
            return jointly([law(labelled(database)), answered]).map(lambda told: (other, told))

        def cut(told: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(min(max(count, low), high) for count in told)

        kind = "monotone" if monotone else "any"
        return case(
            "party-counts",
            f"{kind} conjunction of {dims}, n={n} and {len(other)}, epsilon={epsilon}",
            counts,
            _yeses(dims),
            n,
            labelled,
            law=law,
            shown=cut,
            transcript=transcript,
            tight=True,
        )

    return (
        seen(1, 3, "1", (YES,)),
        seen(1, 5, "1/10", (((1,), (1,)), NO)),
        seen(1, 4, "2", (YES,), monotone=False),
        seen(2, 3, "1/2", (((0, 1), (1,)),)),
        seen(1, 3, "6", (YES,)),
    ), (
        Probe(seen(1, 1000, "1/10", (YES,), near=(300, 380))),
        Probe(seen(1, 1000, "8", (YES,), near=(320, 345))),
    )


def parties_learner() -> Audited:
    """What two parties learn together: a function of their messages, the second's rows fixed."""

    def learned(dims: int, n: int, epsilon: str, beta: str, other: tuple[Row, ...]) -> Case:
        conjunctions = concepts.Conjunctions(dims, dims)
        learner = learners.PartiesLearner(conjunctions, epsilon=epsilon, parties=2, beta=beta)
        held = labelled(other)
        return case(
            "parties-learner",
            f"conjunction of {dims}, n={n} and {len(other)}, epsilon={epsilon}, beta={beta}",
            learner,
            _yeses(dims),
            n,
            lambda database: learners.PartyTables((labelled(database), held)),
        )

    # positive rows violate a literal about as often as the cut of the noisy test
    return (
        learned(1, 4, "1", "1/20", (YES,)),
        learned(1, 5, "2", "1/2", (((1,), (1,)), NO)),
        learned(2, 2, "1/2", "1/4", (((0, 1), (1,)),)),
        learned(1, 3, "6", "1/4", (YES,)),
    ), (
        Probe(learned(1, 1000, "1/20", "1/4", (YES,)), database=(YES,) * 60 + (NO,) * 940),
        Probe(learned(1, 1000, "8", "1/4", (YES,)), database=(YES,) + (NO,) * 999),
    )


def three_satisfiability() -> Audited:
    """Private assignments: clauses of three literals are the records."""
    clauses = ((1, 2, 3), (-1, -2, -3), (1, -2, 3), (-1, 2, -3))

    def solved(n: int, epsilon: Exact) -> Case:
        problem = learners.ThreeSatisfiability(3, epsilon=epsilon)
        table = [tuple(map(bool, row)) for row in problem.assignments().tolist()]

        def law(given: Any) -> Law[Any]:
            return problem.law(given).map(lambda i: table[i])

        setting = f"3 variables, n={n}, epsilon={epsilon}"
        return case("three-satisfiability", setting, problem, clauses, n, law=law)

    return (
        (solved(3, "1"), solved(4, "1/2"), solved(2, "6")),
        tuple(Probe(solved(1000, epsilon), 100) for epsilon in ("1/20", "8")),
    )
