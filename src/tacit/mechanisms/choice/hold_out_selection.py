"""Train each candidate on a block of its own, then choose among them on rows none has seen."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.cost import Parallel
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.choice.permute_and_flip import PermuteAndFlip, single_choice
from tacit.mechanisms.mechanism import Mechanism
from tacit.statistics import ScoreProfile

R = TypeVar("R", bound=Hashable)
H = TypeVar("H", bound=Hashable)


class HeldOutChoice(NamedTuple, Generic[H]):
    """A hypothesis and the place of the trainer that made it."""

    trainer: int
    hypothesis: H


@dataclass(frozen=True, slots=True)
class HoldOutSelection(Generic[R, H]):
    """Choose among the hypotheses of several private trainers by their agreements with fresh rows.

    The first `sizes[0]` rows train the first hypothesis, the next `sizes[1]` the second, and so on;
    all rows that are left score them. Blocks are by position, which says nothing of the values:
    the rows must come in an order that one row's values cannot change. `agrees(hypothesis, row)`
    is a public function that may not fail on any row.

    Guarantee:
        A replaced row lies in one block, and every block is used by one private release: the whole
        is as private as its least private part, and not the sum; all hypotheses might be told at
        that price, not the chosen one only.

    Exactness:
        That of the trainers and of the choice; the law is exact if theirs are.

    Cost:
        `Parallel` of the trainers' costs and of the choice's: `BoundedRange(epsilon)`, or if it
        stands `alone`, with no other release to be composed with, `Pure(epsilon)` of
        permute-and-flip, which errs less.

    >>> from tacit.core.cost import Pure
    >>> from tacit.core.chance.law import certain
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.mechanisms.mechanism import Kernel
    >>> constants = [Kernel(Pure(1), lambda rows, bit=bit: certain(bit)) for bit in (0, 1)]
    >>> select = HoldOutSelection(constants, sizes=(1, 1), epsilon=30, agrees=lambda h, y: h == y)
    >>> select((0, 0, 1, 1, 1), rng=Seeded(0))
    HeldOutChoice(trainer=1, hypothesis=1)

    Proof: docs/proofs/hold_out_selection.md
    """

    trainers: tuple[Mechanism[tuple[R, ...], H], ...]
    sizes: tuple[int, ...]
    agrees: Callable[[H, R], bool]
    choice: Exponential | PermuteAndFlip

    def __init__(
        self,
        trainers: Sequence[Mechanism[tuple[R, ...], H]],
        *,
        sizes: Sequence[int],
        agrees: Callable[[H, R], bool],
        epsilon: Exact,
        alone: bool = False,
    ) -> None:
        hold(self, trainers=tuple(trainers), sizes=tuple(check.count(sizes=size) for size in sizes))
        hold(self, agrees=agrees, choice=single_choice(epsilon, alone=alone))
        if not self.trainers or len(self.trainers) != len(self.sizes):
            raise InvalidArgument(
                f"sizes must give one block size a trainer, got {len(self.sizes)} "
                f"for {len(self.trainers)} trainers, of which there must be at least one"
            )

    @property
    def cost(self) -> Parallel:
        return Parallel(*(trainer.cost for trainer in self.trainers), self.choice.cost)

    def __call__(self, records: tuple[R, ...], *, rng: Random) -> HeldOutChoice[H]:
        *blocks, rest = self._blocks(records)
        hypotheses = tuple(
            trainer(block, rng=rng) for trainer, block in zip(self.trainers, blocks, strict=True)
        )
        chosen = self.choice(self._agreements(hypotheses, rest), rng=rng)
        return HeldOutChoice(chosen, hypotheses[chosen])

    def law(self, records: tuple[R, ...]) -> Law[HeldOutChoice[H]]:
        return self.transcript(records).map(lambda told: HeldOutChoice(told[0], told[1][told[0]]))

    def transcript(self, records: tuple[R, ...]) -> Law[tuple[int, tuple[H, ...]]]:
        """Return the joint law of the chosen place and of all hypotheses, chosen or not."""
        *blocks, rest = self._blocks(records)
        trained = product(
            trainer.law(block) for trainer, block in zip(self.trainers, blocks, strict=True)
        )
        return trained.then(
            lambda hypotheses: self.choice.law(self._agreements(hypotheses, rest)).map(
                lambda chosen: (chosen, hypotheses)
            )
        )

    def failure(self, shortfall: int) -> Fraction:
        """Bound the probability that the chosen hypothesis falls `shortfall` agreements short.

        Short of the best of the trained ones, on the rows held out.

        >>> from tacit.core.cost import Pure
        >>> from tacit.core.chance.law import certain
        >>> from tacit.mechanisms.mechanism import Kernel
        >>> constants = [Kernel(Pure(1), lambda rows, bit=bit: certain(bit)) for bit in (0, 1)]
        >>> select = HoldOutSelection(
        ...     constants, sizes=(1, 1), epsilon=1, agrees=lambda h, y: h == y
        ... )
        >>> float(select.failure(10))
        0.0066...
        """
        return self.choice.failure(shortfall, size=len(self.trainers))

    def _blocks(self, records: tuple[R, ...]) -> list[tuple[R, ...]]:
        """Cut the rows by position: one block a trainer, and what is left."""
        if len(records) < sum(self.sizes):
            raise InvalidArgument(
                f"the blocks need {sum(self.sizes)} rows, got {len(records)}; lower the sizes"
            )
        blocks, start = [], 0
        for size in self.sizes:
            blocks.append(records[start : start + size])
            start += size
        return [*blocks, records[start:]]

    def _agreements(self, hypotheses: tuple[H, ...], rest: tuple[R, ...]) -> ScoreProfile[int]:
        return ScoreProfile.of(
            [sum(bool(self.agrees(h, record)) for record in rest) for h in hypotheses]
        )
