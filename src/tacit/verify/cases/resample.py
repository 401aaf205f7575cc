"""Secrecy of the sample: bases that use up their epsilon or delta, with and without replacement."""

from __future__ import annotations

from typing import Any

from tacit.core.composition.subsampling import amplified
from tacit.core.cost import Approximate, Pure
from tacit.core.privacy import Privacy
from tacit.mechanisms.by_law import Kernel
from tacit.mechanisms.resample import Resample
from tacit.verify.enumeration import Case
from tacit.verify.laws_to_wrap import Rows, first_row, leaky, tilted
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe


def claim(base: Pure | Approximate, sampling: Resample[str, Any]) -> Pure | Approximate:
    """Return what the formula promises, every number rounded up."""
    leak = base.delta if isinstance(base, Approximate) else 0
    kept = amplified(sampling.cost, Privacy(base.epsilon, leak))
    assert kept is not None
    return Approximate(kept.epsilon, kept.delta) if leak else Pure(kept.epsilon)


def _case(
    name: str,
    base: Kernel[Rows, bool],
    drawn: int,
    rows: int,
    *,
    replacement: bool,
    tight: bool = False,
) -> Case:
    assert isinstance(base.cost, Pure | Approximate)
    sampling = Resample(base, drawn=drawn, rows=rows, replacement=replacement)
    return Case(
        "resample",
        f"{name}, {drawn} of {rows} rows with{'' if replacement else 'out'} replacement",
        "mechanism",
        claim(base.cost, sampling),
        ("a", "b", "c"),
        rows,
        Route(sampling, as_it_is),
        tight=tight,
    )


CASES = (
    *(
        case
        for replacement in (True, False)
        for case in (
            _case("tilted, epsilon=1", tilted(1), 3, 6, replacement=replacement, tight=True),
            _case("tilted, epsilon=1/5", tilted("1/5"), 2, 5, replacement=replacement, tight=True),
            _case("tilted, epsilon=2", tilted(2), 3, 3, replacement=replacement, tight=True),
            _case("first row, epsilon=1", first_row(1), 3, 4, replacement=replacement),
            _case(
                "leaky, epsilon=1/2, delta=1/100",
                leaky("1/2", "1/100"),
                3,
                5,
                replacement=replacement,
                tight=True,
            ),
            _case(
                "leaky, epsilon=1, delta=1/1000",
                leaky(1, "1/1000"),
                2,
                4,
                replacement=replacement,
                tight=True,
            ),
        )
    ),
    _case("tilted, epsilon=1, more draws than rows", tilted(1), 4, 3, replacement=True, tight=True),
    _case("first row, epsilon=6", first_row(6), 2, 2, replacement=False),
)

PROBES = tuple(
    Probe(_case(f"tilted, epsilon={epsilon}", tilted(epsilon), 4, 1000, replacement=True), 600)
    for epsilon in (1, 8)
)
