"""Repeated selection: searches of every shape eta over a fair base and over an extreme one."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.by_law import Kernel
from tacit.mechanisms.choice.repeated_selection import RepeatedSelection
from tacit.verify.enumeration import Case
from tacit.verify.laws_to_wrap import Rows, Scored, opposed, poll
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

RARE = Fraction(1, 50)
"""With a smaller chance to stop, the sampler runs for longer than anyone waits."""


def _case(
    name: str,
    base: Kernel[Rows, Scored],
    n: int,
    eta: Exact,
    gamma: Exact,
    *,
    tight: bool = False,
) -> Case:
    search = RepeatedSelection(base, eta=eta, gamma=gamma)
    setting = f"{name}, n={n}, eta={eta}, gamma={gamma}, epsilon={search.cost.epsilon}"
    return Case(
        "repeated-selection",
        setting,
        "mechanism",
        search.cost,
        ("a", "b", "c"),
        n,
        Route(search, as_it_is) if rational(gamma) > RARE else search.law,
        tight=tight,
    )


ETAS = ("-9/10", "-1/2", "0", "1/2", "1", "3")

CASES = (
    *(_case("poll", poll(1), 4, eta, "1/10") for eta in ETAS),
    *(_case("poll", poll("1/5"), 5, eta, "1/100") for eta in ("0", "1")),
    *(_case("opposed", opposed(1), 3, eta, Fraction(1, 2**40), tight=True) for eta in ETAS),
    _case("opposed", opposed("1/10"), 4, "1", Fraction(1, 2**40), tight=True),
    _case("poll", poll("3"), 2, "0", "1/10"),
)

PROBES = tuple(
    Probe(_case("poll", poll(epsilon), 1000, "0", "1/4"), 100) for epsilon in ("1/10", "4")
)
