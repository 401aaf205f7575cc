"""The exact distribution of a random output, as a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Generic, NamedTuple, TypeVar

from tacit.core.errors import InvalidArgument

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Parts(NamedTuple, Generic[T]):
    """A law in whole numbers: each outcome and the slack have so many of `whole` equal parts."""

    of: Mapping[T, int]
    slack: int
    whole: int


class _Shares(Mapping[T, Fraction]):
    """Probabilities over one denominator in lowest terms: fractions when one is asked for."""

    def __init__(self, of: Mapping[T, int], whole: int) -> None:
        least = gcd(whole, *of.values())
        self.of = {outcome: number // least for outcome, number in of.items()} if least > 1 else of
        self.whole = whole // least

    @cached_property
    def _fractions(self) -> dict[T, Fraction]:
        return {outcome: Fraction(number, self.whole) for outcome, number in self.of.items()}

    def __getitem__(self, outcome: T) -> Fraction:
        return self._fractions[outcome]

    def __iter__(self) -> Iterator[T]:
        return iter(self.of)

    def __len__(self) -> int:
        return len(self.of)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Shares):
            return (self.whole, self.of) == (other.whole, other.of)
        return self._fractions == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._fractions)

    def items(self) -> ItemsView[T, Fraction]:
        """Return the outcomes with their fractions."""
        return self._fractions.items()


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
        shares = self.probabilities
        if not isinstance(shares, _Shares):
            shares = _Shares(*_over_one(shares))
        slack, under = self.slack.as_integer_ratio()
        whole = lcm(under, shares.whole)
        more = whole // shares.whole
        numbers = {o: n * more for o, n in shares.of.items()} if more > 1 else shares.of
        return Parts(numbers, slack * (whole // under), whole)

    def __getitem__(self, outcome: T) -> Fraction:
        return self.probabilities.get(outcome, Fraction(0))

    def map(self, function: Callable[[T], U]) -> Law[U]:
        """Return the law of a function of the outcome.

        >>> Law({1: Fraction(1, 2), -1: Fraction(1, 2)}).map(abs)[1]
        Fraction(1, 1)
        """
        numbers, _, whole = self.parts
        pairs = ((function(o), number) for o, number in numbers.items())
        return Law(_added(pairs, whole), self.slack, self.complete)

    def then(self, kernel: Callable[[T], Law[U]]) -> Law[U]:
        """Return the law of a second outcome, drawn given the first.

        >>> coin = Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
        >>> coin.then(lambda x: coin.map(lambda y: x + y))[1]
        Fraction(1, 2)
        """
        numbers, _, whole = self.parts
        laws = [kernel(outcome) for outcome in numbers]
        complete = self.complete or not self.slack
        return _mixed(list(numbers.values()), whole, laws, slack=self.slack, complete=complete)

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
    numbers, _ = _over_one(weights)
    total = sum(numbers.values())
    if total <= 0:
        raise InvalidArgument("weights must have a positive sum")
    return Law(_Shares(numbers, total))


def collect(
    pairs: Iterable[tuple[T, Fraction]],
    *,
    slack: Fraction = Fraction(0),
    complete: bool = False,
) -> Law[T]:
    """Add up the probabilities of equal outcomes."""
    listed = list(pairs)
    numbers, whole = _over_one(dict(enumerate(p for _, p in listed)))
    outcomes = (outcome for outcome, _ in listed)
    return Law(_added(zip(outcomes, numbers.values(), strict=True), whole), slack, complete)


def _over_one(fractions: Mapping[U, Fraction]) -> tuple[dict[U, int], int]:
    """Return the numerators over the least denominator of all, and that."""
    ratios = {key: each.as_integer_ratio() for key, each in fractions.items()}
    whole = lcm(*{below for _, below in ratios.values()})
    return {key: above * (whole // below) for key, (above, below) in ratios.items()}, whole


def _added(pairs: Iterable[tuple[T, int]], whole: int) -> _Shares[T]:
    """Add up the parts of equal outcomes."""
    sums: dict[T, int] = {}
    for outcome, number in pairs:
        sums[outcome] = sums.get(outcome, 0) + number
    return _Shares(sums, whole)


def mixture(parts: Iterable[tuple[Fraction, Law[T]]]) -> Law[T]:
    """Return the law of an outcome drawn from a randomly chosen law.

    >>> mixture([(Fraction(1, 4), certain("a")), (Fraction(3, 4), certain("b"))])["b"]
    Fraction(3, 4)
    """
    listed = list(parts)
    weights, whole = _over_one(dict(enumerate(weight for weight, _ in listed)))
    laws = [law for _, law in listed]
    return _mixed(list(weights.values()), whole, laws, slack=Fraction(0), complete=True)


def _mixed(
    weights: Sequence[int], of: int, laws: Sequence[Law[T]], *, slack: Fraction, complete: bool
) -> Law[T]:
    """Mix laws by parts of a whole that add up to it but for some slack."""
    mixed = list(zip(weights, [law.parts for law in laws], strict=True))
    whole = lcm(*{parts.whole for _, parts in mixed})
    pairs = (
        (outcome, number * share)
        for weight, parts in mixed
        for share in [weight * (whole // parts.whole)]
        for outcome, number in parts.of.items()
    )
    vague = (Fraction(w, of) * law.slack for w, law in zip(weights, laws, strict=True) if law.slack)
    return Law(
        _added(pairs, whole * of),
        sum(vague, slack),
        complete and all(law.complete or not law.slack for law in laws),
    )


def product(laws: Iterable[Law[T]]) -> Law[tuple[T, ...]]:
    """Return the joint law of independent outcomes.

    >>> len(product([certain(1), certain(2)]).probabilities)
    1
    """
    joint: Law[tuple[T, ...]] = certain(())
    for law in laws:
        (heads, _, whole), (tails, _, other) = joint.parts, law.parts
        both = {(*head, tail): p * q for head, p in heads.items() for tail, q in tails.items()}
        joint = Law(
            _Shares(both, whole * other),
            joint.slack + law.slack + joint.slack * law.slack,
            all(part.complete or not part.slack for part in (joint, law)),
        )
    return joint
