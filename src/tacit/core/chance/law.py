"""The exact distribution of a random output, as a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Generic, NamedTuple, TypeVar

from tacit.core.errors import InvalidArgument

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Parts(NamedTuple, Generic[T]):
    """A law in whole numbers: each outcome and the slack have so many of `whole` equal parts."""

    of: Mapping[T, int]
    slack: int
    whole: int


@dataclass(frozen=True)
class Law(Generic[T]):
    """Probabilities of finitely many outcomes; `slack` bounds what truncation left out.

    The true law is within `slack` of this one in total absolute difference; an exact law has slack
    0 and adds up to 1. `complete` says that a law with slack lists every outcome that can occur, be
    it with probability 0; without it, nothing can be said of the largest ratio to another law.

    >>> Law({"heads": Fraction(1, 3), "tails": Fraction(2, 3)})["tails"]
    Fraction(2, 3)
    """

    probabilities: Mapping[T, Fraction]
    slack: Fraction = Fraction(0)
    complete: bool = False

    def __post_init__(self) -> None:
        numbers, slack, whole = self.parts
        if any(p < 0 for p in numbers.values()) or abs(whole - sum(numbers.values())) > slack:
            raise InvalidArgument("a law has non-negative probabilities that add up to 1")

    @cached_property
    def parts(self) -> Parts[T]:
        """The probabilities over one denominator: they are added and compared as integers."""
        ratios = {o: p.as_integer_ratio() for o, p in self.probabilities.items()}
        slack, under = self.slack.as_integer_ratio()
        whole = lcm(under, *{below for _, below in ratios.values()})
        numbers = {o: above * (whole // below) for o, (above, below) in ratios.items()}
        return Parts(numbers, slack * (whole // under), whole)

    def __getitem__(self, outcome: T) -> Fraction:
        return self.probabilities.get(outcome, Fraction(0))

    def map(self, function: Callable[[T], U]) -> Law[U]:
        """Return the law of a function of the outcome.

        >>> Law({1: Fraction(1, 2), -1: Fraction(1, 2)}).map(abs)[1]
        Fraction(1, 1)
        """
        pairs = ((function(o), p) for o, p in self.probabilities.items())
        return collect(pairs, slack=self.slack, complete=self.complete)

    def then(self, kernel: Callable[[T], Law[U]]) -> Law[U]:
        """Return the law of a second outcome, drawn given the first.

        >>> coin = Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
        >>> coin.then(lambda x: coin.map(lambda y: x + y))[1]
        Fraction(1, 2)
        """
        parts = [(p, kernel(outcome)) for outcome, p in self.probabilities.items()]
        whole = self.complete or not self.slack
        return _mixed(parts, slack=self.slack, complete=whole)

    def widen(self, slack: Fraction) -> Law[T]:
        """Return the same probabilities with more slack."""
        return Law(self.probabilities, self.slack + slack, self.complete)


def certain(outcome: T) -> Law[T]:
    """Return the law of an outcome that always happens."""
    return Law({outcome: Fraction(1)})


def proportional(weights: Mapping[T, Fraction]) -> Law[T]:
    """Return the law with these relative weights.

    >>> proportional({"a": Fraction(1), "b": Fraction(3)})["b"]
    Fraction(3, 4)
    """
    total = sum(weights.values(), Fraction(0))
    if total <= 0:
        raise InvalidArgument("weights must have a positive sum")
    return Law({outcome: weight / total for outcome, weight in weights.items()})


def collect(
    pairs: Iterable[tuple[T, Fraction]],
    *,
    slack: Fraction = Fraction(0),
    complete: bool = False,
) -> Law[T]:
    """Add up the probabilities of equal outcomes."""
    gathered: dict[T, list[Fraction]] = {}
    for outcome, probability in pairs:
        gathered.setdefault(outcome, []).append(probability)
    sums = {o: each[0] if len(each) == 1 else _sum(each) for o, each in gathered.items()}
    return Law(sums, slack, complete)


def _sum(fractions: Sequence[Fraction]) -> Fraction:
    """Add fractions up over one denominator: one reduction for all."""
    ratios = [each.as_integer_ratio() for each in fractions]
    whole = lcm(*(below for _, below in ratios))
    return Fraction(sum(above * (whole // below) for above, below in ratios), whole)


def mixture(parts: Iterable[tuple[Fraction, Law[T]]]) -> Law[T]:
    """Return the law of an outcome drawn from a randomly chosen law.

    >>> mixture([(Fraction(1, 4), certain("a")), (Fraction(3, 4), certain("b"))])["b"]
    Fraction(3, 4)
    """
    return _mixed(list(parts), slack=Fraction(0), complete=True)


def _mixed(parts: Sequence[tuple[Fraction, Law[T]]], *, slack: Fraction, complete: bool) -> Law[T]:
    """Mix laws whose weights add up to 1 but for some slack."""
    return collect(
        ((o, weight * p) for weight, law in parts for o, p in law.probabilities.items()),
        slack=slack + sum((weight * law.slack for weight, law in parts), Fraction(0)),
        complete=complete and all(law.complete or not law.slack for _, law in parts),
    )


def product(laws: Iterable[Law[T]]) -> Law[tuple[T, ...]]:
    """Return the joint law of independent outcomes.

    >>> len(product([certain(1), certain(2)]).probabilities)
    1
    """
    joint: Law[tuple[T, ...]] = certain(())
    for law in laws:
        joint = collect(
            (
                ((*head, tail), p * q)
                for head, p in joint.probabilities.items()
                for tail, q in law.probabilities.items()
            ),
            slack=joint.slack + law.slack + joint.slack * law.slack,
            complete=all(part.complete or not part.slack for part in (joint, law)),
        )
    return joint
