"""What may still be spent, when every cost may depend on all earlier answers.

`price` speaks of costs that were fixed before the first answer. In a ledger the next cost is chosen
after the earlier answers were seen, and the best composition of what happened to be chosen is then
too cheap (docs/proofs/ledger.md has the smallest example). A cap is therefore kept by sums alone,
in one of two ways that are proved for costs chosen in any way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

from tacit.core.budget import read_budget
from tacit.core.composition import delta_of_rho, price
from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.cost import (
    Approximate,
    Cost,
    Parallel,
    Repeat,
    Sequential,
    Subsample,
)
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact

Accounting = Literal["basic", "concentrated"]
_SUM = re.compile(r"-?[0-9]{1,400}(/[1-9][0-9]{0,400})?")
_SAID = 1e300
"""Numbers that are told; floats end soon after."""
GRID = 360360 * 10**36
"""Sums are multiples of 1 / GRID, so that thirds stay exact and no denominator grows."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A cost as both ways to add up see it: (epsilon, delta), and rho with a chance to leak."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    leak: Fraction = Fraction(0)

    @classmethod
    def of(cls, cost: Cost, delta: Exact = 0) -> Spent:
        """Return what one release costs, its own tree priced at its own delta; rounded up.

        >>> from tacit.core.cost import BoundedRange, Pure
        >>> Spent.of(Repeat(Pure("1/3"), 3))
        Spent(epsilon=Fraction(1, 1), delta=Fraction(0, 1), rho=Fraction(1, 6),
              leak=Fraction(0, 1))
        """
        privacy = price(cost, delta).privacy
        found = _concentrated(cost) or (privacy.epsilon**2 / 2, privacy.delta)
        return cls(*map(_up, (privacy.epsilon, privacy.delta, *found)))

    @classmethod
    def decode(cls, encoded: dict[str, Any]) -> Spent:
        """Read back what `encode` wrote."""
        return cls(*(_written(encoded[name]) for name in ("epsilon", "delta", "rho", "leak")))

    def encode(self) -> dict[str, str]:
        """Return the four numbers as exact strings."""
        return {name: str(getattr(self, name)) for name in ("epsilon", "delta", "rho", "leak")}

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.epsilon + other.epsilon,
            self.delta + other.delta,
            self.rho + other.rho,
            self.leak + other.leak,
        )

    def __sub__(self, other: Spent) -> Spent:
        return self + Spent(-other.epsilon, -other.delta, -other.rho, -other.leak)


@dataclass(frozen=True, slots=True)
class Cap:
    """The promise that all releases together must keep, and how they are added up.

    Guarantee:
        Releases that are stopped before `allows` would fail are (epsilon, delta)-DP together,
        however their costs were chosen (docs/proofs/ledger.md).

    "basic" adds up epsilons and deltas. "concentrated" adds up rates, better for many small
    releases; half of delta is for its tail, half for releases that have a delta of their own.

    >>> hundredth = Spent.of(Repeat(Approximate("0.01", 0), 1))
    >>> many = sum([hundredth] * 1000, start=Spent())
    >>> Cap(2, "1e-6").allows(many), Cap(2, "1e-6", "concentrated").allows(many)
    (False, True)
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    accounting: Accounting = "basic"

    def __init__(self, epsilon: Exact, delta: Exact = 0, accounting: Accounting = "basic") -> None:
        read = read_budget(epsilon, delta)
        hold(self, epsilon=read.epsilon, delta=read.delta, accounting=accounting)
        if accounting not in get_args(Accounting):
            raise InvalidArgument(f"accounting must be basic or concentrated, got {accounting!r}")
        if accounting == "concentrated" and not self.delta:
            raise InvalidArgument("concentrated accounting needs a delta above 0, such as 1e-6")

    @property
    def rho(self) -> Fraction:
        """The greatest sum of rates that is allowed; 0 where rates are not added up."""
        tail = self.delta / 2 if self.accounting == "concentrated" else Fraction(0)
        return _greatest_rho(self.epsilon, tail) if tail else Fraction(0)

    def allows(self, spent: Spent) -> bool:
        """Whether releases that come to this keep the promise."""
        if self.accounting == "basic" or not spent.delta:
            kept = spent.epsilon <= self.epsilon and spent.delta <= self.delta
            if kept or self.accounting == "basic":
                return kept
        return spent.rho <= self.rho and spent.leak <= self.delta / 2

    def encode(self) -> dict[str, str]:
        """Return the cap as exact strings."""
        cap = {"epsilon": str(self.epsilon), "delta": str(self.delta)}
        return cap | {"accounting": self.accounting}

    @classmethod
    def decode(cls, encoded: dict[str, Any]) -> Cap:
        """Read back what `encode` wrote."""
        return cls(encoded["epsilon"], encoded["delta"], encoded["accounting"])

    def __str__(self) -> str:
        return f"ε = {_short(self.epsilon)}, δ = {_short(self.delta)}"


@dataclass(slots=True)
class Account:
    """The caps of one data set and what was spent from it, by analyst; "" caps all together."""

    caps: dict[str, Cap] = field(default_factory=dict)
    spent: dict[str, Spent] = field(default_factory=dict)

    @property
    def total(self) -> Spent:
        """What all analysts spent together."""
        return sum(self.spent.values(), start=Spent())

    def check(self, analyst: str) -> None:
        """Refuse an analyst who was granted nothing, where analysts have caps of their own."""
        granted = self.caps.keys() - {""}
        if granted and analyst not in granted:
            said = f"analyst {analyst!r} was granted nothing" if analyst else "no analyst is named"
            raise Refused(f"this data set is granted to analysts, and {said}; name one: --analyst")

    def admit(self, analyst: str, charge: Spent) -> None:
        """Refuse a charge that some cap does not allow."""
        self.check(analyst)
        after = {"": self.total + charge}
        if analyst:
            after[analyst] = self.spent.get(analyst, Spent()) + charge
        for whose, spent in after.items():
            cap = self.caps.get(whose)
            if cap is not None and not cap.allows(spent):
                owner = f"analyst {whose!r}" if whose else "the data set"
                raise Refused(
                    f"the budget of {owner} is {cap}, of which {said(cap, spent - charge)}; this "
                    f"release would cost {_costs(cap, charge)}: ask for less epsilon or delta, or "
                    "have the cap raised by tacit ledger grant"
                )

    def add(self, analyst: str, charge: Spent) -> None:
        """Record a charge that was admitted, or with its negative take it back."""
        self.spent[analyst] = self.spent.get(analyst, Spent()) + charge


def said(cap: Cap, spent: Spent) -> str:
    """Say in the cap's own terms how much is spent."""
    if cap.accounting == "concentrated":
        return f"ρ = {_short(spent.rho)} of {_short(cap.rho)} is spent"
    return f"ε = {_short(spent.epsilon)}, δ = {_short(spent.delta)} is spent"


def _costs(cap: Cap, charge: Spent) -> str:
    if cap.accounting == "concentrated":
        return f"ρ = {_short(charge.rho)}"
    return f"ε = {_short(charge.epsilon)}, δ = {_short(charge.delta)}"


def _short(number: Fraction) -> str:
    return f"{float(number):.6g}" if number < _SAID else f"more than {_SAID:.0e}"


def _written(text: object) -> Fraction:
    """Read what `str` writes of a sum, and nothing that could take long to read."""
    if not isinstance(text, str) or not _SUM.fullmatch(text):
        raise ValueError("a sum must be written as p or p/q")
    return Fraction(text)


def _up(number: Fraction) -> Fraction:
    return Fraction(-(-number * GRID // 1), GRID)


def _concentrated(cost: Cost) -> tuple[Fraction, Fraction] | None:
    """Return (rho, leak): with probability 1 - leak the tree is rho-zCDP; None if subsampled."""
    match cost:
        case Sequential(parts) | Parallel(parts):
            found = [_concentrated(part) for part in parts]
            known = [pair for pair in found if pair is not None]
            if len(known) < len(found):
                return None
            rates, leaks = [rho for rho, _ in known], [leak for _, leak in known]
            if isinstance(cost, Parallel):
                return max(rates, default=Fraction(0)), max(leaks, default=Fraction(0))
            return sum(rates, Fraction(0)), sum(leaks, Fraction(0))
        case Repeat(part, times):
            each = _concentrated(part)
            return None if each is None else (times * each[0], times * each[1])
        case Approximate(epsilon, delta):
            return epsilon**2 / 2, delta
        case Subsample():
            return None
        case leaf:
            return rate(leaf), Fraction(0)


@lru_cache(maxsize=256)
def _greatest_rho(epsilon: Fraction, tail: Fraction) -> Fraction:
    """Return the greatest rho, to 40 bits, that keeps (epsilon, tail): what is spent is below."""
    low, high = Fraction(0), epsilon
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of_rho(middle, epsilon) <= tail else (low, middle)
    return low
