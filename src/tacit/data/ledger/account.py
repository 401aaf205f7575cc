"""What may still be spent, when every cost may depend on all earlier answers.

`price` speaks of costs that were fixed before the first answer. In a ledger the next cost is chosen
after the earlier answers were seen, and the best composition of what happened to be chosen is then
too cheap (docs/proofs/ledger.md has the smallest example). A cap is therefore kept by sums alone,
in one of two ways that are proved for costs chosen in any way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

from tacit.core.budget import read_budget
from tacit.core.composition import delta_of_rho, price
from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.cost import (
    Added,
    Approximate,
    Cost,
    Parallel,
    ReleaseCost,
    Repeat,
    Sequential,
    Subsample,
)
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.core.unit import ROWS, Unit
from tacit.data.ledger.days import check_day, check_renewal, year_of

Accounting = Literal["basic", "concentrated"]
_SUM = re.compile(r"-?[0-9]{1,400}(/[1-9][0-9]{0,400})?")
_SAID = 1e300
"""Numbers that are told; floats end soon after."""
SHORT, GRID = 10**80, 10**40
"""Sums are exact while their denominators are short, else multiples of 1 / GRID, rounded up."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A cost as both ways to add up see it: (epsilon, delta), and rho with a chance to leak."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    leak: Fraction = Fraction(0)

    @classmethod
    def of(cls, cost: ReleaseCost, delta: Exact = 0) -> Spent:
        """Return what one release costs, its own tree priced at its own delta.

        >>> from tacit.core.cost import BoundedRange, Pure
        >>> Spent.of(Repeat(Pure("1/3"), 3))
        Spent(epsilon=Fraction(1, 1), delta=Fraction(0, 1), rho=Fraction(1, 6),
              leak=Fraction(0, 1))
        """
        privacy = price(cost, delta).privacy
        tree = cost.part if isinstance(cost, Added) else cost
        found = _concentrated(tree) or (privacy.epsilon**2 / 2, privacy.delta)
        return cls(privacy.epsilon, privacy.delta, *found).rounded()

    @classmethod
    def decode(cls, encoded: dict[str, Any]) -> Spent:
        """Read back what `encode` wrote."""
        return cls(*(_written(encoded[name]) for name in ("epsilon", "delta", "rho", "leak")))

    def encode(self) -> dict[str, str]:
        """Return the four numbers as exact strings."""
        return {name: str(getattr(self, name)) for name in ("epsilon", "delta", "rho", "leak")}

    def rounded(self) -> Spent:
        """Return no less, in numbers that are short to write."""
        return Spent(*map(_up, (self.epsilon, self.delta, self.rho, self.leak)))

    def rounded_down(self) -> Spent:
        """Return no more, for what is taken off."""
        return Spent() - (Spent() - self).rounded()

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
    `until` is the last day on which it may be spent. One that `renews` on a day of the year, 04-01,
    begins anew on it: then the promise is that of each year by itself, and years add up.

    >>> hundredth = Spent.of(Repeat(Approximate("0.01", 0), 1))
    >>> many = sum([hundredth] * 1000, start=Spent())
    >>> Cap(2, "1e-6").allows(many), Cap(2, "1e-6", "concentrated").allows(many)
    (False, True)
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    accounting: Accounting = "basic"
    until: str = ""
    renews: str = ""

    def __init__(
        self,
        epsilon: Exact,
        delta: Exact = 0,
        accounting: Accounting = "basic",
        *,
        until: str = "",
        renews: str = "",
    ) -> None:
        read = read_budget(epsilon, delta)
        hold(self, epsilon=read.epsilon, delta=read.delta, accounting=accounting)
        hold(self, until=until and check_day(until), renews=renews and check_renewal(renews))
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
        terms = {"until": self.until, "renews": self.renews}
        return cap | {"accounting": self.accounting} | {k: v for k, v in terms.items() if v}

    @classmethod
    def decode(cls, encoded: dict[str, Any]) -> Cap:
        """Read back what `encode` wrote."""
        terms = (encoded.get(name, "") for name in ("until", "renews"))
        return _cap(encoded["epsilon"], encoded["delta"], encoded["accounting"], *terms)

    def began(self, day: str) -> str:
        """Return the day on which the year of the budget began that a day is in; "" if it has none.

        >>> Cap(1, renews="04-01").began("2027-03-31")
        '2026-04-01'
        """
        return year_of(day, self.renews) if self.renews and day else ""

    def __str__(self) -> str:
        return f"ε = {_short(self.epsilon)}, δ = {_short(self.delta)}"


@dataclass(slots=True)
class Account:
    """The caps of one data set and what was spent from it, by analyst; "" caps all together.

    `unit` is who is protected: what is spent for one unit says nothing of another. `policy` is the
    digest of the one that every charge must keep, if there is one. `begun` says of a cap that
    renews when its year began, and what had been spent before.
    """

    caps: dict[str, Cap] = field(default_factory=dict)
    spent: dict[str, Spent] = field(default_factory=dict)
    unit: Unit = ROWS
    policy: str = ""
    begun: dict[str, tuple[str, Spent]] = field(default_factory=dict)

    @property
    def total(self) -> Spent:
        """What all analysts spent together, or hardly more."""
        return self._added_up(Spent.rounded)

    def _added_up(self, short: Callable[[Spent], Spent]) -> Spent:
        """Add up in one order, shortening each sum: many odd fractions are too long together."""
        found = Spent()
        for analyst in sorted(self.spent):
            found = short(found + self.spent[analyst])
        return found

    def of(self, whose: str) -> Spent:
        """Return what counts against a cap, in all years: what an analyst spent, or all did."""
        return self.spent.get(whose, Spent()) if whose else self.total

    def before(self, whose: str, day: str) -> Spent:
        """Return what was spent before the year of a cap began that a day is in, or hardly less."""
        cap, (begun, spent) = self.caps.get(whose), self.begun.get(whose, ("", Spent()))
        if cap is None or cap.began(day) <= begun:
            return spent
        return self.of(whose) if whose else self._added_up(Spent.rounded_down)

    def grant(self, whose: str, cap: Cap, day: str) -> None:
        """Set a cap; what an older one counted still counts in its first year."""
        before = self.before(whose, day)
        self.caps[whose] = cap
        self.begun.pop(whose, None)
        if cap.renews:
            self.begun[whose] = cap.began(day), before

    def terms(self, whose: str) -> dict[str, Any]:
        """Return a cap as a grant tells it; that of the data set says who is protected, and how."""
        told: dict[str, Any] = dict(self.caps[whose].encode())
        if not whose:
            told |= {} if self.unit == ROWS else {"unit": self.unit.encode()}
            told |= {"policy": self.policy} if self.policy else {}
        return told

    def year(self, whose: str) -> dict[str, Any]:
        """Return when the year of a cap began, and what had been spent before, if it renews."""
        begun = self.begun.get(whose)
        return {} if begun is None else {"begun": begun[0], "before": begun[1].encode()}

    def check_policy(self, policy: str) -> None:
        """Refuse a release that keeps another policy than the one that was granted with."""
        if self.policy not in ("", policy):
            raise Refused(
                f"this data set was granted for releases under the policy of SHA-256 {self.policy};"
                " name its file: --policy"
            )

    def check(self, analyst: str) -> None:
        """Refuse an analyst who was granted nothing, where analysts have caps of their own."""
        granted = self.caps.keys() - {""}
        if granted and analyst not in granted:
            said = f"analyst {analyst!r} was granted nothing" if analyst else "no analyst is named"
            raise Refused(f"this data set is granted to analysts, and {said}; name one: --analyst")

    def check_unit(self, cost: ReleaseCost, unit: Unit) -> None:
        """Refuse a release that protects another unit than the account does."""
        if isinstance(cost, Added) != unit.added:
            raise InvalidArgument("the cost is not one for the neighbours of its release")
        if unit != self.unit:
            raise Refused(
                f"the budget of this data set protects {self.unit.said}, and this release would "
                f"protect {unit.said}: ask as the budget says (--person, --neighbours), or have "
                "another name granted a budget of that kind: tacit ledger grant"
            )

    def admit(self, analyst: str, charge: Spent, day: str = "") -> None:
        """Refuse a charge that some cap does not allow on that day."""
        self.check(analyst)
        for whose in dict.fromkeys(("", analyst)):
            cap = self.caps.get(whose)
            if cap is None:
                continue
            owner = f"analyst {whose!r}" if whose else "the data set"
            if cap.until and day > cap.until:
                raise Refused(
                    f"the budget of {owner} ended on {cap.until}, and this day is {day}: have it "
                    "granted anew by tacit ledger grant --until"
                )
            spent = self.of(whose) - self.before(whose, day)
            if not cap.allows(spent + charge):
                since = f" since {cap.began(day)}" if cap.renews else ""
                raise Refused(
                    f"the budget of {owner} is {cap}, of which {said(cap, spent)}{since}; this "
                    f"release would cost {_costs(cap, charge)}: ask for less epsilon or delta, or "
                    "have the cap raised by tacit ledger grant"
                )

    def add(self, analyst: str, charge: Spent, day: str = "") -> None:
        """Record a charge that was admitted on a day, or with its negative take it back."""
        for whose, (begun, _) in list(self.begun.items()):
            if whose in ("", analyst) and day and (now := self.caps[whose].began(day)) > begun:
                self.begun[whose] = now, self.before(whose, day)
        self.spent[analyst] = (self.spent.get(analyst, Spent()) + charge).rounded()


@lru_cache(maxsize=256)
def _cap(epsilon: str, delta: str, accounting: Accounting, until: str, renews: str) -> Cap:
    return Cap(epsilon, delta, accounting, until=until, renews=renews)


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
    return number if number.denominator < SHORT else Fraction(-(-number * GRID // 1), GRID)


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
