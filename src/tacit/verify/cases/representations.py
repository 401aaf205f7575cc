"""Choices among sets of hypotheses that are listed, or drawn: hashes, protocols, codes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit import concepts, learners
from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.hypothesis_set import Listed, Together
from tacit.concepts.line.points import Point
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core import Accuracy, BoundedRange, Pure
from tacit.statistics import LabelCounts
from tacit.theory.communication import protocols
from tacit.theory.communication.conversions import drawn_representation
from tacit.theory.communication.greater_than import block_protocol
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.representations.drawn import Drawn, Fixed, Repeated
from tacit.verify.cases.statement import Audited, case, rows
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def protocol_learner() -> Audited:
    """Learners from protocols: all coins together, and given the coins."""

    def whole(messages: int, n: int, epsilon: str, seeds: int = 1) -> Case:
        protocol = protocols.EqualityHashing(1, messages)
        learner = learners.ProtocolLearner(protocol, epsilon=epsilon, seeds=seeds)
        about = f"equality by {messages} messages, all coins, seeds={seeds}"
        return case(learner, n, about, rows((0, 1)), claim=Pure(epsilon))

    def given(name: str, protocol: Any, place: int, *points: Any) -> Case:
        among = [among for _, among in protocol.lottery()][place]
        chosen = learners.Choice(among, protocol.outputs, Fraction(1))
        about, claim = f"{name}, coins {place}", BoundedRange(1)
        return case(chosen, 3, about, rows(points), claim=claim, tight=True)

    def written_out(name: str, protocol: Any, n: int, epsilon: str) -> Case:
        learner = learners.ProtocolLearner(protocol, epsilon=epsilon)
        return case(learner, n, name, rows(range(3)), claim=Pure(epsilon))

    best = public_coin_value("points(values=3)", 2).protocol
    thrice = protocols.Amplified(protocols.EqualityHashing(1, 3), 3)
    lines = protocols.LineHashing(2, 7)
    return (
        whole(3, 3, "1"),
        whole(2, 3, "1/2", 2),
        given("majority of 3 hashes", thrice, 77, 0, 1),
        given("lines by 7 messages", lines, 20, (0, 0), (0, 1), (1, 1)),
        whole(2, 3, "6"),
        written_out("thresholds in runs of two", block_protocol(3, 2), 3, "1"),
        written_out("the best protocol of two messages for points", best, 3, "2"),
    ), tuple(Probe(whole(3, 1000, epsilon)) for epsilon in ("1/10", "8"))


def choice() -> Audited:
    """A choice among buckets of a hash, a list with repetitions, and two sets together."""
    points, line = concepts.Points(2), concepts.Thresholds(2)

    def chosen(name: str, among: Any, outputs: Any, epsilon: str, n: int = 3) -> Case:
        made, claim = learners.Choice(among, outputs, Fraction(epsilon)), BoundedRange(epsilon)
        return case(made, n, name, rows(range(3)), claim=claim, tight=True)

    def buckets(epsilon: str, n: int = 3) -> Case:
        return chosen("five buckets", Buckets(Hash(3, 4, 1, 0, 5)), Hashes(5, 2), epsilon, n)

    listed = Listed([Point(0), Point(2), Point(2), NEVER])
    return (
        buckets("1"),
        chosen("a list", listed, OrNever(points), "1/2"),
        chosen("two sets", Together((points, line)), points, "1"),
        chosen("two sets", Together((points, line)), points, "6"),
    ), tuple(Probe(buckets(epsilon, 1000)) for epsilon in ("1/20", "8"))


def representation_learner() -> Audited:
    """Learners from representations: fixed, drawn, and drawn several times.

    With coins the loss of each set has its own interval: pure, and bounded given the set.
    """
    code = ReedSolomon(bits=2, prime=3, places=2)
    halves = Drawn(
        (Listed([Point(0), Point(1), NEVER]), Listed([Point(2), Point(3), NEVER])),
        OrNever(concepts.Points(2)),
        approximation="1/4",
        failure="1/2",
    )

    few, goal = concepts.Points(values=3), Accuracy("9/20", "9/20")
    public = LabelCounts.of([(0, (0,))] * 40, labels=1)
    runs = learners.OfLearner(
        learners.GenericLearner(few, epsilon="1/4"), goal, public, failure="1/4", concepts=few
    )

    def learned(name: str, of: Any, values: int, n: int, epsilon: str) -> Case:
        learner, fixed = learners.RepresentationLearner(of, epsilon=epsilon), isinstance(of, Fixed)
        claim = None if fixed else Pure(epsilon)
        return case(learner, n, name, rows(range(values)), claim=claim, tight=fixed)

    return (
        learned("Reed-Solomon code", Fixed(code, code, "1/2"), 4, 3, "1"),
        learned("two sets by a coin", halves, 4, 3, "1/2"),
        learned("two sets by two coins", Repeated(halves, 2), 3, 3, "2"),
        learned("Reed-Solomon code", Fixed(code, code, "1/2"), 2, 3, "6"),
        learned("thresholds by a protocol", drawn_representation(block_protocol(3, 2)), 3, 3, "1"),
        learned("the outputs of a learner", runs, 3, 3, "2"),
    ), tuple(Probe(learned("two sets by a coin", halves, 4, 1000, e)) for e in ("1/20", "8"))


def hashed_point_learner() -> Audited:
    """The hashed point learner: with all its hashes, and given one of them.

    Hash and bucket together: the loss of each hash has its own interval, so it is pure only.
    """

    def whole(n: int, epsilon: str) -> Case:
        learner = learners.HashedPointLearner(1, epsilon=epsilon, buckets=2)
        return case(learner, n, "2 buckets, all hashes", rows((0, 1)), claim=Pure(epsilon))

    def given(drawn: Hash, epsilon: str) -> Case:
        learner = learners.HashedPointLearner(2, epsilon=epsilon, buckets=drawn.buckets)
        chosen, claim, universe = learner.given(drawn), learner.cost, rows(range(4))
        return case(chosen, 3, f"two bits, {drawn}", universe, claim=claim, tight=True)

    return (
        whole(4, "1"),
        whole(3, "1/4"),
        given(Hash(3, 3, 2, 0, 2), "1"),
        given(Hash(3, 5, 1, 0, 3), "1/2"),
        given(Hash(3, 2, 6, 0, 7), "2"),
        given(Hash(3, 2, 6, 0, 7), "6"),
    ), tuple(Probe(whole(1000, epsilon)) for epsilon in ("1/20", "8"))
