"""How often a learner fails, against its number of rows, on many populations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from tacit.core import check
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.learners.contract.learner import MultiLearner
from tacit.probability.clopper_pearson import Share, share
from tacit.verify.enough.adversary import Adversary
from tacit.verify.enough.simulation import Population, joint_failures

CHUNK = 25
"""So many runs are one piece of work, with a seed of its own: results do not depend on jobs."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One population, and the share of failures for each number of rows."""

    name: str
    population: Population
    shares: tuple[Share, ...]

    @property
    def failures(self) -> int:
        """All failures together."""
        return sum(found.failures for found in self.shares)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The curves, the one with the most failures first."""

    sizes: tuple[int, ...]
    curves: tuple[Curve, ...]

    @property
    def worst(self) -> Curve:
        """The population with the most failures."""
        return self.curves[0]

    def enough(self, beta: Fraction) -> int | None:
        """Return the least size from which on no population is seen to fail more often than beta.

        Seen, that is: its interval lies above beta. None if with the largest size one still is. It
        is an estimate, and no promise.
        """
        lows = [max(curve.shares[i].low for curve in self.curves) for i in range(len(self.sizes))]
        good = [i for i in range(len(lows)) if all(low <= beta for low in lows[i:])]
        return self.sizes[good[0]] if good else None


def simulate(
    adversary: Adversary,
    sizes: Sequence[int],
    *,
    runs: int = 200,
    jobs: int | None = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Simulation:
    """Run a learner `runs` times for each size on each population that the adversary finds.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.learners.many_labels.direct_sum import DirectSum
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> learner = DirectSum(GenericLearner(Thresholds(8), epsilon=1), 1)
    >>> found = simulate(Adversary(Thresholds(8), learner, Fraction(1, 10)), [20, 200], runs=50)
    >>> found.worst.shares[0].rate > 0.9, found.enough(Fraction(1, 10))
    (True, 200)
    """
    ordered = tuple(sorted({check.count(n=n, least=1) for n in sizes}))
    check.count(sizes=len(ordered), least=1)
    check.count(runs=runs, least=1)
    tell("looking for hard populations")
    populations = adversary.populations(ordered[len(ordered) // 2])
    limits = [adversary.limit(population) for population in populations.values()]
    pieces = [min(CHUNK, runs - start) for start in range(0, runs, CHUNK)]
    counted: list[list[int]] = [[] for _ in populations]
    with workers(jobs) as spread:
        for place, n in enumerate(ordered):
            tell(f"{n} rows ({place + 1} of {len(ordered)}), {runs} runs a population")
            tasks = [
                (adversary.learner, population, n, limit, piece, (adversary.seed, n, i, j))
                for i, (population, limit) in enumerate(
                    zip(populations.values(), limits, strict=True)
                )
                for j, piece in enumerate(pieces)
            ]
            found = spread(failures_of, tasks)
            for i, each in enumerate(counted):
                each.append(sum(found[i * len(pieces) : (i + 1) * len(pieces)]))
    curves = [
        Curve(name, population, tuple(share(failed, runs) for failed in each))
        for (name, population), each in zip(populations.items(), counted, strict=True)
    ]
    return Simulation(ordered, tuple(sorted(curves, key=lambda curve: -curve.failures)))


def failures_of(
    learner: MultiLearner[Any],
    population: Population,
    n: int,
    limit: Fraction,
    runs: int,
    seed: tuple[int, ...],
) -> int:
    """Count the failures of one piece of work, in whatever process it is done."""
    number = 0
    for part in seed:
        number = number << 64 | part
    rng = Seeded(number)
    return joint_failures(learner, population, n=n, limit=limit, runs=runs, rng=rng)


Spread = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]


@contextmanager
def workers(jobs: int | None = 1) -> Iterator[Spread]:
    """Give a function that calls another one for each tuple of arguments, results in order.

    One job works here. Several, or -1 for all cores, are joblib's, by the backend that
    `joblib.parallel_config` has set, such as "dask" or "ray"; with None that also sets how many.

    >>> with workers() as spread:
    ...     spread(pow, [(2, 3), (3, 2)])
    [8, 9]
    """
    if jobs == 0 or (jobs is not None and jobs < -1):
        raise InvalidArgument(f"jobs must be at least 1, or -1 for all cores, got {jobs}")
    if jobs == 1:
        yield lambda function, tasks: [function(*task) for task in tasks]
        return
    try:
        joblib = import_module("joblib")
    except ImportError:
        raise MissingExtra(package="joblib", extra="parallel") from None
    with joblib.Parallel(n_jobs=jobs) as pool:
        yield lambda function, tasks: list(pool(joblib.delayed(function)(*task) for task in tasks))
