"""Releases that rest on stability: histograms of what occurs often, and votes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from tacit import mechanisms, statistics
from tacit.core import Approximate, Decay, Exact, Law
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.stable.stability_histogram import told_count
from tacit.verify.cases.statement import Audited, case, counts
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

LETTERS = ("a", "b", "c")
VOTES = (*LETTERS, None)
Told = tuple[tuple[Any, int], ...]


def _histogram(
    mechanism: mechanisms.StabilityHistogram | mechanisms.PureHistogram,
    n: int,
    universe: tuple[Any, ...],
    most: int | None,
    **more: Any,
) -> Case:
    """Tell counts above n, or the threshold, as that: as the law of a histogram does.

    With `most`, tell of the first key only, counts above `most` as that: enough where n is large.
    """
    key, decay = universe[0], Decay.of(mechanism.epsilon / 2)
    top = most or max(n, mechanism.threshold)

    def law_of(held: statistics.Counts[Any]) -> Law[Any]:
        return told_count(key, held[key], decay, least=mechanism.threshold, most=top)

    def shown(told: Told) -> Told:
        return tuple((k, min(count, top)) for k, count in told if most is None or k == key)

    about, law = f"T={mechanism.threshold}", law_of if most else None
    return case(mechanism, n, about, universe, counts, law=law, shown=shown, **more)


def pure_histogram() -> Audited:
    """Three keys and one outside, thresholds below and above n."""

    def told(
        epsilon: str, n: int, threshold: int, most: int | None = None, *, tight: bool = False
    ) -> Case:
        mechanism = mechanisms.PureHistogram(epsilon, 3, threshold=threshold)
        return _histogram(mechanism, n, (0, 1, 2, 3), most, tight=tight)

    often = (*(0,) * 985, *(1,) * 10, *(2,) * 5)
    return (
        told("1", 3, 1, tight=True),
        told("0.1", 3, 2, tight=True),
        told("4", 3, 3, tight=True),
        told("2", 3, 5),
        told("6", 2, 1),
    ), (
        Probe(told("1/10", 1000, 980, 1030), database=often),
        Probe(told("8", 1000, 984, 990), database=often),
    )


def stability_histogram() -> Audited:
    """All databases of three keys, thresholds below and above n."""

    def told(epsilon: str, delta: str, n: int, prefilter: int = 0, most: int | None = None) -> Case:
        mechanism = mechanisms.StabilityHistogram(epsilon, delta, prefilter=prefilter)
        claim = Approximate(mechanism.epsilon, mechanism.achieved_delta)
        return _histogram(mechanism, n, LETTERS, most, claim=claim, tight=True)

    return (
        told("1", "0.1389", 4),
        told("1", "0.031", 4),
        told("2", "0.0134", 5, 1),
        told("1", "0.0511", 6, 3),
        told("0.1", "0.3", 4),
        told("0.2", "0.55", 4),
        told("1", "1e-6", 3),
        told("6", "0.01", 6),
    ), (
        Probe(told("1/10", "1/100", 1000, most=200), database=_ab(100)),
        Probe(told("8", "1e-9", 1000, most=20), database=_ab(6)),
    )


def stability_selection() -> Audited:
    """All databases of three keys, curves that end below n and far above."""

    def chosen(
        epsilon: str,
        delta: str,
        n: int,
        prefilter: int = 0,
        *,
        share: str = "1/2",
        tight: bool = False,
    ) -> Case:
        public: dict[str, Any] = {"prefilter": prefilter, "share": share}
        mechanism = mechanisms.StabilitySelection(epsilon, delta, **public)
        claim = Approximate(epsilon, mechanism.achieved_delta) if tight else None
        told = f"{prefilter=}, {share=}"
        return case(mechanism, n, told, LETTERS, counts, claim=claim, tight=tight)

    return (
        chosen("2", "0.2", 7, tight=True),
        chosen("1", "0.3", 8, tight=True),
        chosen("3", "0.05", 9, 1, tight=True),
        chosen("2", "0.2", 7, share="3/4", tight=True),
        chosen("1", "0.3", 8, share="3/8", tight=True),
        chosen("3", "0.01", 6, share="5/8"),
        chosen("1", "1e-6", 4),
        chosen("0.1", "0.01", 5),
        chosen("6", "0.01", 4),
    ), (
        Probe(chosen("1/10", "1/100", 1000), database=tuple("a" * 60 + "b" * 10 + "c" * 930)),
        Probe(chosen("8", "1e-9", 1000), database=tuple("a" * 6 + "b" * 10 + "c" * 984)),
        Probe(
            chosen("1", "1e-6", 1000, share="5/8"), database=tuple("a" * 20 + "b" * 25 + "c" * 955)
        ),
    )


Voted: TypeAlias = "mechanisms.StableRelease | mechanisms.NoisyStableRelease"


def _ab(first: int) -> tuple[str, ...]:
    """Return 1000 votes, so many of them for a and the others for b."""
    return ("a",) * first + ("b",) * (1000 - first)


def _plurality(mechanism: Voted, voters: int, *, tight: bool = True) -> Case:
    """Every record is a vote and may change sides."""
    return case(mechanism, voters, "plurality", VOTES, _lead, tight=tight)


def _agreement(mechanism: Voted, pairs: int) -> Case:
    """Two records vote together if they agree, so one of them cannot make the vote change sides."""

    def lead(database: tuple[str, ...]) -> statistics.Stable[Any]:
        couples = zip(database[::2], database[1::2], strict=True)
        return _lead((x if x == y else None for x, y in couples), switch=False)

    return case(mechanism, 2 * pairs, "agreeing pairs", LETTERS, lead, symmetric=False, tight=True)


def _lead(votes: Iterable[str | None], *, switch: bool = True) -> statistics.Stable[Any]:
    return statistics.Votes[Any].of(votes, switch=switch).lead()


def stable_release() -> Audited:
    """Votes by the optimal table."""
    release = mechanisms.StableRelease
    given = (("1", "0.01"), ("1", "0.001"), ("1/2", "1/20"), ("2", "1e-6"), ("1/10", "1e-6"))
    return (
        *(_plurality(release(*parameters), 8) for parameters in given),
        *(_agreement(release(*parameters), 3) for parameters in given[:3]),
        _plurality(release(6, "1/100"), 4),
    ), tuple(
        Probe(_plurality(release(epsilon, delta), 1000), database=_ab(first))
        for epsilon, delta, first in (("1/10", "1/100", 520), ("8", "7e-8", 503))
    )


def noisy_stable_release() -> Audited:
    """Votes by noise: the least delta for a threshold is attained."""
    release = mechanisms.NoisyStableRelease

    def plurality(epsilon: Exact, delta: Exact, voters: int) -> Case:
        return _plurality(release(epsilon, delta), voters, tight=False)

    def least(delta: str) -> mechanisms.NoisyStableRelease:
        return release(1, tail(Decay.of(Fraction(1)), release(1, delta).threshold))

    return (
        *(plurality(*given, 8) for given in (("1", "0.01"), ("1", "0.001"), ("1/2", "1/20"))),
        _plurality(least("0.01"), 8),
        _agreement(least("0.1"), 3),
        plurality(6, "1/100", 4),
    ), tuple(
        Probe(plurality(epsilon, delta, 1000), database=_ab(first))
        for epsilon, delta, first in (("1/10", "1/100", 540), ("8", "1e-4", 503))
    )
