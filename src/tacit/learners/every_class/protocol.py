"""Learners from protocols: every one-way protocol with public coins is a private learner.

Of the papers: FX14 Thm 6, Vad17 Thm 8.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.concepts.contract.named_problem import OnTheLine
from tacit.concepts.outputs.majority_set import STATES
from tacit.core import Accuracy, BoundedRangeCost, Decay, Exact, InvalidArgument, Law, Random, hold
from tacit.learners.contract import AccuracyGrid, Request, entry_of, finest, thrifty
from tacit.learners.every_class.representation import RepresentationLearner
from tacit.statistics import LabelCounts
from tacit.theory.communication.protocols import (
    Amplified,
    EqualityHashing,
    LineHashing,
    OfProtocol,
    PublicCoinProtocol,
)
from tacit.theory.enough.envelope import EnvelopeBound
from tacit.theory.representations.drawn import Repeated

FINEST = Fraction(1, 1 << 16)
"""No alpha is smaller where none is asked for."""
HALF = Fraction(1, 2)
RUNS = (1, 3, 5, 7)
"""Odd numbers of runs, so that no vote is a tie; more have too many majorities to list."""
SEEDS = (1, 2, 4, 8)
"""Numbers of independent throws of the coins that are tried."""
PARTS = tuple(Fraction(j, 20) for j in (1, 2, 3, 5, 8))
"""Shares of alpha within which Markov's inequality is to find a good answer."""


@dataclass(frozen=True, slots=True)
class ProtocolLearner(AccuracyGrid, BoundedRangeCost):
    """Throw the public coins of a protocol, then choose among what Bob would answer.

    `runs` repetitions decide by majority, which makes the protocol err less; the answers of `seeds`
    independent throws are put together, so that all of them must be unlucky.

    Guarantee:
        epsilon-DP, and of bounded range epsilon given the coins, which are thrown before the rows
        are looked at; accurate, as in `Promising` [FX14 Thm 6]. Improper.

    Exactness:
        As `Exponential`.

    Cost:
        `BoundedRange(epsilon)` a label; time as the protocol's hypotheses are scored.

    >>> learner = ProtocolLearner(EqualityHashing(64, 1024), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    266

    Proof: docs/proofs/protocol.md
    """

    protocol: PublicCoinProtocol
    epsilon: Fraction
    runs: int
    seeds: int
    agnostic: bool

    proper: ClassVar[bool] = False
    """Not in general: Bob's answers need not be concepts."""
    theorem: ClassVar[str] = "FX14"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 1 << 16

    def __init__(
        self,
        protocol: PublicCoinProtocol,
        *,
        epsilon: Exact,
        runs: int = 1,
        seeds: int = 1,
        agnostic: bool = False,
    ) -> None:
        hold(self, protocol=protocol, agnostic=agnostic).positive(epsilon=epsilon)
        hold(self).count(runs=runs, seeds=seeds, least=1)
        if protocol.error >= HALF:
            raise InvalidArgument("the protocol errs half of the time: take more messages")
        if runs > 1 and self.amplified.messages > STATES:
            raise InvalidArgument(
                f"runs={runs} have {self.amplified.messages} majorities: too many"
            )

    @classmethod
    def planned(
        cls,
        protocol: PublicCoinProtocol,
        *,
        epsilon: Exact,
        accuracy: Accuracy,
        agnostic: bool = False,
    ) -> ProtocolLearner:
        """Return the runs and seeds that need the fewest rows for this accuracy."""
        public: dict[str, Any] = {"epsilon": epsilon, "agnostic": agnostic}
        made = [
            cls(protocol, runs=runs, seeds=seeds, **public)
            for runs in RUNS
            for seeds in SEEDS
            if runs == 1 or Amplified(protocol, runs).messages <= STATES
        ]
        able = [learner for learner in made if learner.possible(accuracy)]
        if not able:
            raise InvalidArgument(
                f"a protocol of error {float(protocol.error):.3g} is too poor for {accuracy}; "
                "take more messages"
            )
        return min(able, key=lambda learner: learner.sample_size(accuracy))

    @property
    def amplified(self) -> PublicCoinProtocol:
        """The protocol that decides by the majority of the runs."""
        return self.protocol if self.runs == 1 else Amplified(self.protocol, self.runs)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """What Bob's answers belong to."""
        return self.amplified.outputs

    def possible(self, accuracy: Accuracy) -> bool:
        """Whether some number of rows is enough."""
        envelope = self._envelope(accuracy.alpha)
        return bool(envelope and envelope.possible(accuracy.beta)) or any(self._markov(accuracy))

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        return self.possible(accuracy) and self.sample_size(accuracy) <= n

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough: the best of the bounds, over all approximations."""
        rows = self.fewer(accuracy, None)
        if rows is None:
            raise InvalidArgument(
                f"coins of error {float(self.amplified.error):.3g} are too poor for {accuracy}; "
                "take more messages, runs or seeds"
            )
        return rows

    def fewer(self, accuracy: Accuracy, than: int | None) -> int | None:
        """Return how many rows are enough, if fewer than so many are; quicker if they are not."""
        best = than
        for learner in self._markov(accuracy):
            if best is None or (best and learner.might_do(best - 1, accuracy)):
                rows = learner.sample_size(accuracy)
                best = rows if best is None else min(best, rows)
        envelope = self._envelope(accuracy.alpha)
        if envelope and envelope.possible(accuracy.beta):
            rows = envelope.sample_size(accuracy.beta)
            best = rows if best is None else min(best, rows)
        return None if best == than else best

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Concept:
        return self._learner(self._any)(sample, label=label, rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return self._learner(self._any).law(sample, label=label)

    @property
    def _any(self) -> Fraction:
        return (1 + self.amplified.error) / 2

    def _learner(self, near: Fraction) -> RepresentationLearner:
        """Return the learner from the representation; `near` concerns its promise only."""
        drawn = Repeated(OfProtocol(self.amplified, near), self.seeds)
        return RepresentationLearner(drawn, epsilon=self.epsilon, agnostic=self.agnostic)

    def _markov(self, accuracy: Accuracy) -> Iterator[RepresentationLearner]:
        """Yield what Markov's inequality makes of the protocol, where it says something."""
        error = self.amplified.error
        for part in PARTS:
            near = accuracy.alpha * part
            if error < near and (error / near) ** self.seeds < accuracy.beta:
                yield self._learner(near)

    def _envelope(self, alpha: Fraction) -> EnvelopeBound | None:
        if self.seeds > 1 or self.agnostic:
            return None
        of = self.amplified
        return EnvelopeBound(of.messages, alpha, of.error, Decay.of(self.epsilon / 2))


WIDER = 4
"""Errors do not fall with every bit of a message: so many more bits are tried beyond the best."""


def _make(request: Request) -> ProtocolLearner:
    """Make the learner with the number of messages, a power of two, that needs the fewest rows."""
    of, epsilon = request.concepts, request.privacy.epsilon
    bits = max(1, (of.domain_size - 1).bit_length())

    def protocol(messages: int) -> PublicCoinProtocol:
        match of.problem:
            case OnTheLine(p):
                return LineHashing(p, messages)
        return EqualityHashing(bits, messages)

    def planned(alpha: Fraction, epsilon: Fraction = epsilon) -> tuple[int, ProtocolLearner]:
        goal = Accuracy(alpha, request.beta)
        best: tuple[int, ProtocolLearner] | None = None
        last = 64
        for width in range(2, 64):
            wide = protocol(1 << width)
            if wide.error >= HALF:
                continue
            tries = [
                ProtocolLearner(wide, epsilon=epsilon, seeds=seeds, agnostic=request.agnostic)
                for seeds in (SEEDS if request.agnostic else (1,))
            ]
            for tried in tries:
                rows = tried.fewer(goal, best and best[0])
                if rows is not None:
                    best, last = (rows, tried), width
            if width >= last + WIDER:
                break
        if best is None:
            raise InvalidArgument(f"{goal} asks for more than 2^64 messages")
        return best

    if request.alpha is not None:
        return thrifty(partial(planned, request.alpha), epsilon)
    return finest(planned, request, least=FINEST)


ENTRY = entry_of(
    ProtocolLearner,
    "protocol",
    "from a one-way protocol with public coins: hashed points, hashed lines",
    families=("points", "lines"),
    make=_make,
    slow=True,
)
