"""Noise on counts, sums and histograms, and on the records themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit import mechanisms
from tacit.core import composition
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.core.numbers.enclosures import exp_lower, round_up
from tacit.core.numbers.exact import Exact
from tacit.verify.cases.statement import Audited, case
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

Database = tuple[int, ...]
UNIVERSE = (0, 1, 2)
MANY = 10
"""From so many records on, only how many say 1 is compared."""


def _count(database: Database) -> int:
    return database.count(1)


def _histogram(database: Database) -> tuple[int, ...]:
    return tuple(database.count(x) for x in UNIVERSE)


def discrete_laplace() -> Audited:
    """A count, a sum of sensitivity 2, and a whole histogram.

    Everything below and above the two ends is told as the ends, which loses nothing.
    """

    def noisy(
        name: str,
        statistic: Callable[[Database], Any],
        epsilon: Exact,
        n: int = 3,
        near: tuple[int, int] | None = None,
    ) -> Case:
        mechanism = mechanisms.DiscreteLaplace(epsilon, 1 if name == "a count" else 2)
        low, high = near or (0, n if statistic is _histogram else 2 * n)

        def cut(told: Any) -> int | tuple[int, ...]:
            if isinstance(told, int):
                return min(max(told, low), high)
            return tuple(min(max(count, low), high) for count in told.tolist())

        def law(value: Any) -> Law[Any]:
            return mechanism.law(value, low=low, high=high)

        setting = f"{name} of n={n} records out of 3, epsilon={mechanism.epsilon}"
        target = "discrete-laplace"
        return case(
            target, setting, mechanism, UNIVERSE, n, statistic, law=law, shown=cut, tight=True
        )

    return (
        *(noisy("a count", _count, epsilon, 5) for epsilon in ("1e-9", "1/10", 1, 10)),
        *(noisy("the sum", sum, epsilon) for epsilon in ("1/3", 2)),
        *(noisy("the histogram", _histogram, epsilon) for epsilon in ("1/2", 3)),
    ), tuple(Probe(noisy("a count", _count, e, 1000, (313, 353))) for e in ("1/10", 8))


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

    def noisy(name: str, sigma_squared: str, epsilon: str, n: int = 3) -> Case:
        statistic, sensitivity = (_count, 1) if name == "a count" else (sum, 2)
        mechanism = mechanisms.DiscreteGaussian(sigma_squared, sensitivity)
        setting = f"{name} of n={n} records out of 3, sigma^2={sigma_squared}, at epsilon={epsilon}"
        claim = Approximate(epsilon, _curve(mechanism, Fraction(epsilon)))
        target = "discrete-gaussian"
        return case(target, setting, mechanism, UNIVERSE, n, statistic, claim=claim, tight=True)

    return (
        noisy("a count", "1/2", "1"),
        noisy("a count", "101/200", "1"),
        noisy("a count", "1", "2"),
        noisy("a count", "4", "1/2"),
        noisy("a count", "30", "1"),
        noisy("a count", "1/6", "6"),
        noisy("the sum", "3/2", "1"),
        noisy("the sum", "10", "1"),
    ), (
        Probe(noisy("a count", "100", "1/10", 1000)),
        Probe(noisy("a count", "1/16", "8", 1000)),
    )


def discrete_gaussian_vector() -> Audited:
    """Two counts at once: what zCDP implies at several epsilons."""

    def noisy(sigma_squared: str, epsilon: str, n: int = 3) -> Case:
        mechanism = mechanisms.DiscreteGaussianVector(sigma_squared, sensitivity_squared=2)
        claim = Approximate(
            epsilon, composition.delta_of_rho(mechanism.cost.rho, Fraction(epsilon))
        )
        return case(
            "discrete-gaussian-vector",
            f"two counts of n={n} records out of 3, sigma^2={sigma_squared}, at epsilon={epsilon}",
            mechanism,
            UNIVERSE,
            n,
            lambda database: [database.count(x) for x in (0, 1)],
            claim=claim,
            shown=lambda told: tuple(told.tolist()),
        )

    return (
        noisy("4", "1/2"),
        *(noisy("1/3", epsilon) for epsilon in ("3", "6", "12")),
        *(noisy("1/2", epsilon) for epsilon in ("2", "4", "8")),
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
            "randomised-response",
            f"{values} values, n={n} records, epsilon={mechanism.epsilon}",
            lambda database, *, rng: mechanism(list(database), rng=rng),
            range(values),
            n,
            claim=mechanism.cost,
            law=mechanism.law if few else ones,
            shown=lambda told: tuple(told.tolist()) if few else int((told == 1).sum()),
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
