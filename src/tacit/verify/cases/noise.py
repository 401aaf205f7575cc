"""Noise on counts, sums and histograms, and on the records themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit import mechanisms
from tacit.core import Approximate, Exact, Random, composition
from tacit.core.chance.law import Law, product
from tacit.core.numbers.enclosures import exp_lower, round_up
from tacit.mechanisms.noise.polya import share_law
from tacit.statistics.counts.group_counts import GroupCounts
from tacit.statistics.counts.score_counts import ScoreCounts
from tacit.verify.cases.statement import Audited, Read, case, cut
from tacit.verify.enumeration import Case
from tacit.verify.route import as_it_is
from tacit.verify.sampling import Probe

Database = tuple[int, ...]
UNIVERSE = (0, 1, 2)
COUNTED = ("errors", "positives", "cells")
MANY = 10
"""From so many records on, only how many say 1 is compared."""


def _count(database: Database) -> int:
    return database.count(1)


def _histogram(database: Database) -> tuple[int, ...]:
    return tuple(database.count(x) for x in UNIVERSE)


def _listed(told: Any) -> Any:
    return told if isinstance(told, int) else tuple(told.tolist())


def discrete_laplace() -> Audited:
    """A count, a sum of sensitivity 2, and a whole histogram."""

    def noisy(
        about: str,
        read: Read,
        epsilon: Exact,
        n: int = 3,
        near: tuple[int, int] | None = None,
    ) -> Case:
        mechanism = mechanisms.DiscreteLaplace(epsilon, 1 if read is _count else 2)
        low, high = near or (0, n if read is _histogram else 2 * n)
        ends = cut(low, high)
        return case(
            mechanism,
            n,
            about,
            UNIVERSE,
            read,
            law=lambda value: mechanism.law(value, low=low, high=high),
            shown=lambda told: ends(_listed(told)),
            tight=True,
        )

    return (
        *(noisy("a count", _count, epsilon, 5) for epsilon in ("1e-9", "1/10", 1, 10)),
        *(noisy("the sum", sum, epsilon) for epsilon in ("1/3", 2)),
        *(noisy("the histogram", _histogram, epsilon) for epsilon in ("1/2", 3)),
    ), tuple(Probe(noisy("a count", _count, e, 1000, (313, 353))) for e in ("1/10", 8))


def split_laplace() -> Audited:
    """A count with all shares of noise; and from the law of a share on, but for what that lacks."""

    def noisy(epsilon: Exact, shares: int, n: int = 3, near: tuple[int, int] | None = None) -> Case:
        mechanism = mechanisms.SplitLaplace(epsilon, shares=shares)
        low, high = near or (0, n)

        def together(values: list[int], *, rng: Random) -> int:
            told = (mechanism(values if i == 0 else [0], rng=rng)[0] for i in range(shares))
            return min(max(sum(map(int, told)), low), high)

        return case(
            together,
            n,
            f"a count, {shares} shares",
            UNIVERSE,
            lambda database: [_count(database)],
            claim=mechanism.cost,
            law=lambda held: mechanism.law(held, low=low, high=high).map(lambda told: told[0]),
            tight=True,
            kind="mechanism",
        )

    def added_up(epsilon: Exact, shares: int) -> Case:
        mechanism = mechanisms.SplitLaplace(epsilon, shares=shares)
        noise = share_law(mechanism.decay, shares, shares)
        return case(
            mechanism,
            3,
            f"a count, the laws of {shares} shares",
            UNIVERSE,
            _count,
            claim=Approximate(epsilon, Fraction(1, 1 << 150)),
            law=lambda held: noise.map(lambda z: held + z),
            drawn=False,
        )

    return (
        *(noisy(epsilon, shares) for epsilon, shares in (("1/10", 2), (1, 3), (10, 5))),
        *(added_up(epsilon, shares) for epsilon, shares in ((4, 2), (6, 3))),
    ), tuple(Probe(noisy(e, 2, 1000, (313, 353))) for e in ("1/10", 8))


def _curve(mechanism: mechanisms.DiscreteGaussian, epsilon: Fraction) -> Fraction:
    """Return P[Z > t - s / 2] - e^epsilon P[Z > t + s / 2], t = epsilon sigma^2 / s, s sensitivity.

    Rounded up at 40 bits, which is far above the slack of the law [CKS20, Thm. 7].
    """
    noise, shift = mechanism.law(0).probabilities, mechanism.sensitivity
    middle = epsilon * mechanism.sigma_squared / shift
    here, there = (
        sum((p for z, p in noise.items() if z > middle + half), Fraction(0))
        for half in (Fraction(-shift, 2), Fraction(shift, 2))
    )
    return round_up(here - exp_lower(epsilon) * there, 40)


def discrete_gaussian() -> Audited:
    """The exact curve for one integer: a count, and a sum of sensitivity 2."""

    def noisy(read: Read, sigma_squared: str, epsilon: str, n: int = 3) -> Case:
        mechanism = mechanisms.DiscreteGaussian(sigma_squared, 1 if read is _count else 2)
        claim = Approximate(epsilon, _curve(mechanism, Fraction(epsilon)))
        about = f"sensitivity {mechanism.sensitivity}, sigma^2={sigma_squared}"
        return case(mechanism, n, about, UNIVERSE, read, claim=claim, tight=True)

    return (
        noisy(_count, "1/2", "1"),
        noisy(_count, "101/200", "1"),
        noisy(_count, "1", "2"),
        noisy(_count, "4", "1/2"),
        noisy(_count, "30", "1"),
        noisy(_count, "1/6", "6"),
        noisy(sum, "3/2", "1"),
        noisy(sum, "10", "1"),
    ), (Probe(noisy(_count, "100", "1/10", 1000)), Probe(noisy(_count, "1/16", "8", 1000)))


def discrete_gaussian_vector() -> Audited:
    """Two counts at once: what the cost implies at several epsilons."""

    def noisy(sigma_squared: str, epsilon: str, n: int = 3) -> Case:
        mechanism = mechanisms.DiscreteGaussianVector(sigma_squared, sensitivity_squared=2)
        delta = composition.delta_of_rho(mechanism.cost.rho, Fraction(epsilon))
        return told(mechanism, Approximate(epsilon, delta), n)

    def priced(sigma_squared: str, delta: str) -> Case:
        mechanism = mechanisms.DiscreteGaussianVector(sigma_squared, sensitivity_squared=2)
        kept = composition.price(mechanism.cost, delta).privacy
        return told(mechanism, Approximate(kept.epsilon, kept.delta), 3)

    def told(mechanism: mechanisms.DiscreteGaussianVector, claim: Approximate, n: int) -> Case:
        return case(
            mechanism,
            n,
            f"two counts, sigma^2={mechanism.sigma_squared}",
            UNIVERSE,
            lambda database: [database.count(x) for x in (0, 1)],
            claim=claim,
            shown=_listed,
        )

    return (
        noisy("4", "1/2"),
        *(noisy("1/3", epsilon) for epsilon in ("3", "6", "12")),
        *(noisy("1/2", epsilon) for epsilon in ("2", "4", "8")),
        *(priced("40", delta) for delta in ("1/20", "1/1000")),
    ), (Probe(noisy("4", "1/2", 1000)), Probe(noisy("1/4", "12", 1000)))


def randomised_response() -> Audited:
    """Every record answers for itself."""

    def answered(values: int, n: int, epsilon: Exact) -> Case:
        mechanism = mechanisms.RandomisedResponse(epsilon, values)

        def ones(database: Database) -> Law[Any]:
            """Return the law of how many say 1, in integers of 200 bits: rounded by < 2^-180."""
            chances = [1 << 200]
            yes = {value: int(mechanism.law(value)[1] * (1 << 200)) for value in range(values)}
            for record in database:
                p, pairs = yes[record], zip((0, *chances), (*chances, 0), strict=True)
                chances = [(up * p + stay * ((1 << 200) - p)) >> 200 for up, stay in pairs]
            listed = {k: Fraction(chance, 1 << 200) for k, chance in enumerate(chances)}
            return Law(listed, Fraction(1, 1 << 180), complete=True)

        few = n < MANY
        return case(
            lambda database, *, rng: mechanism(list(database), rng=rng),
            n,
            f"{values} values",
            range(values),
            as_it_is,
            claim=mechanism.cost,
            law=mechanism.law if few else ones,
            shown=lambda told: _listed(told) if few else int((told == 1).sum()),
            symmetric=False,
            tight=True,
            kind="mechanism",
        )

    return (
        *(answered(3, 3, epsilon) for epsilon in ("1e-9", "1/2", 4)),
        *(answered(2, 4, epsilon) for epsilon in ("1/10", 2)),
        answered(5, 2, 1),
        answered(3, 2, 7),
    ), tuple(Probe(answered(3, 1000, epsilon), 600) for epsilon in ("1/10", 8))


def measurement() -> Audited:
    """Errors, positives and cells of a rule and of a card with three levels, all told."""

    def read(levels: tuple[int, ...]) -> Read:
        def counted(database: Database) -> ScoreCounts:
            cells = np.zeros(2 * len(levels) + 2, dtype=np.int64)
            np.add.at(cells, list(database), 1)
            return ScoreCounts(len(database), levels, cells.reshape(-1, 2))

        return counted

    def measured(epsilon: Exact, n: int, levels: tuple[int, ...], *, tight: bool = False) -> Case:
        mechanism, ends = mechanisms.Measurement(epsilon), cut(0, n)
        return case(
            mechanism,
            n,
            f"levels {levels}",
            range(2 * len(levels) + 2)[: 3 if n == 3 else None],
            read(levels),
            law=lambda value: mechanism.law(value, low=0, high=n),
            shown=lambda told: replace(
                told, **{part: ends(getattr(told, part)) for part in COUNTED}
            ),
            tight=tight,
        )

    def far(epsilon: Exact) -> Case:
        """Tell errors, positives and one cell of 1000 rows, near the truth."""
        parts = [Fraction(3, 5), Fraction(3, 20), Fraction(1, 8)]
        near = cut(492, 508)

        def law(counts: ScoreCounts) -> Law[Any]:
            true = [counts.errors, counts.positives, int(counts.cells[0, 1])]
            noise = [mechanisms.DiscreteLaplace(part * Fraction(epsilon)) for part in parts]
            told = zip(noise, true, strict=True)
            return product([each.law(value, low=492, high=508) for each, value in told])

        return case(
            mechanisms.Measurement(epsilon),
            1000,
            "1000 rows",
            (0, 1),
            read((0,)),
            law=law,
            shown=lambda told: near((told.errors, told.positives, told.cells[0][1])),
        )

    return (
        measured(1, 2, (0,), tight=True),
        measured("1/2", 1, (-1, 0, 1), tight=True),
        measured(6, 3, (0,)),
    ), tuple(Probe(far(epsilon), 600, (0, 1) * 500) for epsilon in ("1/2", 8))


def group_measurement() -> Audited:
    """Errors, positives and rows of two groups: a row says its group, its error and its label."""

    def read(database: Database) -> GroupCounts:
        counts = np.zeros((3, 2), dtype=np.int64)
        for record in database:
            counts[:, record >> 2] += (record >> 1 & 1, record & 1, 1)
        return GroupCounts(len(database), counts)

    def measured(epsilon: Exact, n: int, universe: Iterable[int] = range(8)) -> Case:
        mechanism, ends = mechanisms.GroupMeasurement(epsilon), cut(0, n)
        parts = ("errors", "positives", "rows")
        return case(
            mechanism,
            n,
            "two groups",
            universe,
            read,
            law=lambda value: mechanism.law(value, low=0, high=n),
            shown=lambda told: replace(told, **{part: ends(getattr(told, part)) for part in parts}),
            tight=True,
        )

    def far(epsilon: Exact) -> Case:
        """Tell the errors of 1000 rows, near the truth."""
        noise, near = mechanisms.DiscreteLaplace(Fraction(epsilon) / 2, 2), cut(492, 508)
        return case(
            mechanisms.GroupMeasurement(epsilon),
            1000,
            "1000 rows",
            (3, 7),
            read,
            law=lambda value: noise.law(value.counts[0].tolist(), low=492, high=508),
            shown=lambda told: near(told.errors),
        )

    return (
        measured(1, 1),
        measured("1/2", 2),
        measured(6, 3, (0, 3, 7)),
    ), tuple(Probe(far(epsilon), 600, (3, 7) * 500) for epsilon in ("1/2", 8))
