"""Learner, representation, protocol, strategy of a game: from one to the other, and what is lost.

Of a class, each of the four gives all others. What is declared of one is carried to the next; for a
small class what is exactly true of it is computed beside. Proofs in docs/proofs/protocol.md.

Of the papers: Vad17 Thm 8.9.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log, log2
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.named_problem import AtLeast, Equality, OnTheLine
from tacit.core import Accuracy, Exact, InvalidArgument, Privacy, TooLarge, least
from tacit.core.budget import read_budget, read_share
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.learners.every_class.converse import OfLearner, hit_probability, runs_for
from tacit.learners.every_class.protocol import ProtocolLearner
from tacit.learners.every_class.representation import RepresentationLearner
from tacit.statistics import LabelCounts
from tacit.theory.communication.conversions import drawn_representation, public_protocol
from tacit.theory.communication.greater_than import LARGEST, block_error, block_protocol
from tacit.theory.communication.one_way import PublicCoins
from tacit.theory.communication.protocols import EqualityHashing, LineHashing, OfRepresentation
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.representations.drawn import Fixed, fixed_by, written_out
from tacit.theory.representations.exact import exact_representation
from tacit.theory.representations.of_points import BucketedPoints
from tacit.theory.solving.incidence import Table, class_of, rows_of

KINDS = ("learner", "representation", "protocol", "game")
CONCEPTS, POINTS = 8, 6  # of classes for which what is true is computed: seconds
SMALLEST = Fraction(1, 10**9)  # alpha, as is planned for
MINIMAX = "Yao's minimax theorem"
SECONDS = 10.0  # for the fewest hypotheses, or the best protocol
COARSER = tuple(Fraction(k, 20) for k in range(1, 20))  # alphas, where a smaller is out of reach


@dataclass(frozen=True, slots=True, eq=False)
class Conversion:
    """What came out: its kind, the theorem, how large it is, what is declared and what is true.

    `size` is the rows of a learner, the hypotheses of a representation, the messages of a protocol.
    """

    kind: str
    value: Any = field(repr=False)
    by: str
    size: int
    declared: dict[str, Fraction]
    exact: dict[str, Fraction] = field(default_factory=dict)
    loss: str = ""

    @property
    def nats(self) -> float | None:
        """The size as the papers measure it, ln; None for a learner."""
        return None if self.kind == "learner" else log(self.size)

    @property
    def bits(self) -> float | None:
        """The length of a message, log2; None for a learner."""
        return None if self.kind == "learner" else log2(self.size)


def convert(
    concepts: Table,
    start: str,
    end: str,
    *,
    epsilon: Exact = 1,
    alpha: Exact = "1/4",
    beta: Exact = "1/4",
    failure: Exact | None = None,
    error: Exact = "1/4",
    n: int | None = None,
    messages: int | None = None,
    learner: str = "generic",
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Conversion, ...]:
    """Return each step of the way from one kind to another; from learner to learner, all round.

    It begins with the learner of this name for (alpha, beta), or for n rows; with hypotheses within
    alpha but for `failure`; with a protocol of this error; or with the best one of so many
    messages. `failure` is how often what is drawn may be bad, half of beta unless it is said.

    >>> [(step.kind, step.size) for step in convert("points(values=3)", "learner", "protocol")]
    [('learner', 18), ('representation', 3), ('protocol', 3)]
    """
    if start not in KINDS or end not in KINDS:
        raise InvalidArgument(f"from and to must each be one of {', '.join(KINDS)}")
    for name, value, kind in (("n", n, "learner"), ("messages", messages, "game")):
        if value is not None and start != kind:
            raise InvalidArgument(f"{name} is of a {kind} that is begun with, not of a {start}")
    goal = Accuracy(read_share(SMALLEST, alpha=alpha), read_share(beta=beta))
    way = _Way(
        class_of(concepts),
        read_budget(epsilon, 0).epsilon,
        goal,
        goal.beta / 2 if failure is None else read_share(failure=failure),
        read_share(SMALLEST, error=error),
    )
    tell(f"beginning with a {start}")
    begin: dict[str, Callable[[], Conversion]] = {
        "learner": lambda: way.some_learner(learner, n),
        "representation": way.some_representation,
        "protocol": way.some_protocol,
        "game": lambda: way.some_game(messages),
    }
    to = dict(zip(KINDS, (way.learner, way.representation, way.protocol, way.game), strict=True))
    steps = [begin[start]()]
    for kind in way_between(start, end):
        tell(f"from a {steps[-1].kind} to a {kind}")
        steps.append(to[kind](steps[-1]))
    if start == end == "learner":
        times = steps[-1].size / max(1, steps[0].size)
        lost = [f"{times:.1f} times the rows of the first learner", steps[-1].loss]
        steps[-1] = replace(steps[-1], loss="; ".join(filter(None, lost)))
    return tuple(steps)


def way_between(start: str, end: str) -> tuple[str, ...]:
    """Return the kinds to go through; a protocol is a learner at once.

    >>> way_between("learner", "learner"), way_between("game", "representation")
    (('representation', 'protocol', 'learner'), ('protocol', 'representation'))
    """
    a, b = KINDS.index(start), KINDS.index(end)
    if end == "learner":
        return (*{0: KINDS[1:3], 3: KINDS[2:3]}.get(a, ()), end)
    if a == b:
        return "representation" if start == "protocol" else "protocol", end
    return KINDS[a + 1 : b + 1] if a < b else KINDS[b:a][::-1]


@dataclass(frozen=True, slots=True)
class _Way:
    """What was asked for, and how each kind is made from the one before."""

    concepts: ConceptClass[Any]
    epsilon: Fraction
    goal: Accuracy
    failure: Fraction
    error: Fraction

    @property
    def small(self) -> bool:
        return self.concepts.size <= CONCEPTS and self.concepts.domain_size <= POINTS

    def some_learner(self, name: str, n: int | None) -> Conversion:
        if name not in CATALOGUE:
            raise InvalidArgument(f"learner {name!r} is not known; see: tacit learners")
        if not CATALOGUE[name].pure:
            raise InvalidArgument(
                f"learner {name!r} needs a delta above 0, and what a representation is made from "
                "is pure; see: tacit learners"
            )
        alpha, beta = self.goal.alpha, self.goal.beta
        wanted = Request(
            self.concepts,
            Privacy(self.epsilon),
            n or 0,
            alpha if n is None else None,
            beta,
            agnostic=False,
        )
        made: Any = getattr(CATALOGUE[name](wanted), "learner", None)
        promised = self.goal if n is None or made is None else made.accuracy(n, beta)
        if made is None or promised is None:
            raise InvalidArgument(f"learner {name!r} promises nothing for this; take more rows")
        rows = made.sample_size(promised) if n is None else n
        return _learner(made, rows, promised, made.theorem)

    def some_representation(self) -> Conversion:
        alpha = self.goal.alpha
        whole: Any = Fixed(self.concepts, self.concepts, 0)
        if isinstance(self.concepts.problem, Equality):
            bits = max(1, (self.concepts.domain_size - 1).bit_length())
            whole = min(
                whole, BucketedPoints.least(bits, alpha, self.failure), key=lambda r: r.size
            )
        elif self.small:
            fewest = exact_representation(rows_of(self.concepts), alpha, time_limit=SECONDS)
            whole = fixed_by(fewest.hypotheses, self.concepts)
        return self._representation(whole, "BNS19 Def 10")

    def some_protocol(self) -> Conversion:
        of, error = self.concepts.problem, self.error
        protocol: Any = OfRepresentation(Fixed(self.concepts, self.concepts, 0))
        match of:
            case Equality(size):
                bits = max(1, (size - 1).bit_length())
                n = least(lambda n: EqualityHashing(bits, n).error <= error, low=2)
                protocol = min(protocol, EqualityHashing(bits, n), key=lambda p: p.messages)
            case OnTheLine(p):
                n = least(lambda n: LineHashing(p, n).error <= error, low=2)
                protocol = min(protocol, LineHashing(p, n), key=lambda p: p.messages)
            case AtLeast(size) if size <= LARGEST:
                block = least(lambda g: g == size or block_error(g + 1) > error, low=1)
                protocol = block_protocol(size, block)
        return self._protocol(protocol, "FX14 Thm 7")

    def some_game(self, messages: int | None) -> Conversion:
        sizes = range(1, self.concepts.size + 1) if messages is None else (messages,)
        for size in sizes:
            value = public_coin_value(self.concepts, size, time_limit=SECONDS)
            if messages is not None or value.upper <= self.error:
                break
        ends = {"lower": value.lower, "upper": value.upper}
        return Conversion("game", value, MINIMAX, size, {"error": value.upper}, ends)

    def representation(self, last: Conversion) -> Conversion:
        if last.kind == "protocol":
            near = self.goal.alpha if last.value.error < self.goal.alpha else None
            drawn = drawn_representation(last.value, near)
            return self._representation(
                drawn, "FX14 Thm 7", "failure is error / distance, by Markov's inequality"
            )
        point, n = np.zeros((1, self.concepts.features), dtype=np.int64), last.size
        point = point if point.shape[1] > 1 else point[0]
        half = LabelCounts(n, 1, point, np.array([n]), np.array([[n // 2]]))  # favours nobody
        goal = Accuracy(last.declared["alpha"], last.declared["beta"])
        runs = OfLearner(
            last.value,
            goal,
            half,
            failure=self.failure,
            concepts=self.concepts if self.small and last.value.proper else None,
        )
        asked = runs_for(hit_probability(last.value.cost, n, goal.beta), self.failure)
        loss = f"e^{log(runs.runs):.1f} runs, where privacy alone asks for e^{log(asked):.1f}"
        return self._representation(runs, "BNS19 Lemma 15", loss)

    def protocol(self, last: Conversion) -> Conversion:
        if last.kind == "game":
            return self._protocol(last.value.protocol, MINIMAX, "nothing")
        declared = OfRepresentation(last.value)
        loss = f"{float(declared.error - last.declared['distance']):.4g} more than the distance"
        return self._protocol(declared, "FX14 Thm 7", loss)

    def game(self, last: Conversion) -> Conversion:
        best, protocol = self.some_game(last.size), _written(last.value, self.concepts)
        ends = {"error": protocol.error, "lower": best.exact["lower"]}
        least_error = float(ends["lower"])
        loss = f"no protocol of so many messages errs less than {least_error:.4g} at worst"
        return Conversion("game", protocol.mixture, MINIMAX, last.size, last.declared, ends, loss)

    def learner(self, last: Conversion) -> Conversion:
        alphas = [self.goal.alpha, *(a for a in COARSER if a > self.goal.alpha)]
        for goal in (Accuracy(alpha, self.goal.beta) for alpha in alphas):
            try:
                if last.kind == "protocol":
                    by = "FX14 Thm 6"
                    made: Any = ProtocolLearner.planned(
                        last.value, epsilon=self.epsilon, accuracy=goal
                    )
                else:
                    by = "BNS19 Lemma 14"
                    made = RepresentationLearner(last.value, epsilon=self.epsilon)
                coarser = f"alpha {float(self.goal.alpha):g} is out of reach of this {last.kind}"
                loss = "" if goal == self.goal else coarser
                return replace(_learner(made, made.sample_size(goal), goal, by), loss=loss)
            except InvalidArgument:
                continue
        raise InvalidArgument(f"this {last.kind} is too poor to learn from; take a smaller alpha")

    def _representation(self, value: Any, by: str, loss: str = "") -> Conversion:
        declared = {"distance": value.approximation, "failure": value.failure}
        exact = {}
        with suppress(TooLarge):
            if self.small:
                table, of = written_out(value.lottery(), self.concepts), rows_of(self.concepts)
                exact = {"failure": max(table.failure(c, value.approximation) for c in of)}
        return Conversion("representation", value, by, value.size, declared, exact, loss)

    def _protocol(self, value: Any, by: str, loss: str = "") -> Conversion:
        """Write it out where the class is small: then its error is known."""
        declared, exact = {"error": value.error}, {}
        with suppress(TooLarge):
            if self.small:
                value = _written(value, self.concepts)
                exact = {"error": value.error}
        return Conversion("protocol", value, by, value.messages, declared, exact, loss)


def _written(protocol: Any, concepts: ConceptClass[Any]) -> PublicCoins:
    if isinstance(protocol, PublicCoins):
        return protocol
    return public_protocol(protocol, concepts)


def _learner(value: Any, rows: int, goal: Accuracy, by: str) -> Conversion:
    return Conversion("learner", value, by, rows, {"alpha": goal.alpha, "beta": goal.beta})
