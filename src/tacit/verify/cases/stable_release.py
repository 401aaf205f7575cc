"""Stable release of plurality votes: by the optimal table and by noise."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.stable.noisy_stable_release import NoisyStableRelease
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics import Stable, Votes
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

CANDIDATES = ("a", "b", "c")
VOTES = (*CANDIDATES, None)


def _plurality(mechanism: StableRelease | NoisyStableRelease, voters: int) -> Case:
    """Every record is a vote and may change sides."""

    def lead(database: tuple[str | None, ...]) -> Stable[Hashable]:
        return Votes[Hashable].of(database).lead()

    return _case(
        mechanism,
        f"plurality of {voters} votes",
        VOTES,
        voters,
        Route(mechanism, lead),
        symmetric=True,
    )


def _agreement(mechanism: StableRelease | NoisyStableRelease, pairs: int) -> Case:
    """Two records vote together if they agree, so one of them cannot make the vote change sides."""

    def law(database: tuple[str, ...]) -> Law[Hashable]:
        couples = zip(database[::2], database[1::2], strict=True)
        agreed = (x if x == y else None for x, y in couples)
        lead: Stable[Hashable] = Votes[Hashable].of(agreed, switch=False).lead()
        return mechanism.law(lead)

    setting = f"votes of {pairs} agreeing pairs"
    return _case(mechanism, setting, CANDIDATES, 2 * pairs, law, symmetric=False)


def _case(
    mechanism: StableRelease | NoisyStableRelease,
    setting: str,
    universe: tuple[str | None, ...],
    n: int,
    law: Callable[[tuple[Any, ...]], Law[Hashable]],
    *,
    symmetric: bool,
) -> Case:
    if isinstance(mechanism, NoisyStableRelease):
        target, tight = "noisy-stable-release", mechanism.delta == _least_delta(mechanism)
    else:
        target, tight = "stable-release", True
    parameters = f"epsilon={mechanism.epsilon}, delta={float(mechanism.delta):.4g}"
    return Case(
        target,
        f"{setting}, {parameters}",
        "mechanism",
        mechanism.cost,
        universe,
        n,
        law,
        symmetric=symmetric,
        tight=tight,
    )


def _least_delta(mechanism: NoisyStableRelease) -> Fraction:
    """The least delta for the mechanism's own threshold."""
    return tail(Decay.of(mechanism.epsilon), mechanism.threshold)


PARAMETERS = (("1", "0.01"), ("1", "0.001"), ("1/2", "1/20"), ("2", "1e-6"), ("1/10", "1e-6"))

CASES = (
    *(_plurality(StableRelease(*parameters), 8) for parameters in PARAMETERS),
    *(_agreement(StableRelease(*parameters), 3) for parameters in PARAMETERS[:3]),
    *(_plurality(NoisyStableRelease(*parameters), 8) for parameters in PARAMETERS[:3]),
    _plurality(NoisyStableRelease(1, _least_delta(NoisyStableRelease(1, "0.01"))), 8),
    _agreement(NoisyStableRelease(1, _least_delta(NoisyStableRelease(1, "0.1"))), 3),
    _plurality(StableRelease(6, "1/100"), 4),
    _plurality(NoisyStableRelease(6, "1/100"), 4),
)

PROBES = tuple(
    Probe(_plurality(make(epsilon, delta), 1000), database=("a",) * a + ("b",) * (1000 - a))
    for make, epsilon, delta, a in (
        (StableRelease, "1/10", "1/100", 520),
        (StableRelease, "8", "7e-8", 503),
        (NoisyStableRelease, "1/10", "1/100", 540),
        (NoisyStableRelease, "8", "1e-4", 503),
    )
)
