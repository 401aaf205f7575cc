"""Selection with a known threshold, over a fair base and over an extreme one."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.by_law import Kernel
from tacit.mechanisms.choice.threshold_selection import ThresholdSelection
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
    threshold: int,
    gamma: Exact,
    *,
    tight: bool = False,
) -> Case:
    search = ThresholdSelection(base, threshold=threshold, gamma=gamma)
    setting = f"{name}, n={n}, threshold={threshold}, gamma={gamma}, epsilon={search.cost.epsilon}"
    return Case(
        "threshold-selection",
        setting,
        "mechanism",
        search.cost,
        ("a", "b", "c"),
        n,
        Route(search, as_it_is) if rational(gamma) > RARE else search.law,
        tight=tight,
    )


CASES = (
    *(_case("poll", poll(1), 4, 2, gamma) for gamma in ("1/100", "1/10", "9/10")),
    _case("poll, no outcome is good enough", poll(1), 3, 3, "1/10"),
    _case("poll, every outcome is good enough", poll("1/2"), 3, 1, "1/10"),
    *(
        _case("opposed", opposed(epsilon), 3, 1, Fraction(1, 2**40), tight=True)
        for epsilon in ("1/10", "1", "3")
    ),
)

PROBES = tuple(
    Probe(_case("poll", poll(epsilon), 1000, 2, "1/4"), 100) for epsilon in ("1/10", "4")
)
