"""What a target claims, as a case: its law or its transcript beside its sampler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, cast

from tacit.core import composition
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate, Cost, Pure
from tacit.core.numbers.exact import Exact
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim, Kind
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

Audited = tuple[tuple[Case, ...], tuple[Probe, ...]]
"""The cases of one target, and the probes beyond the sizes that are enumerated."""
Row = tuple[Any, ...]
"""A point with its labels."""


def case(
    target: str,
    setting: str,
    mechanism: Any,
    universe: Iterable[Any],
    n: int,
    statistic: Callable[[tuple[Any, ...]], Any] = as_it_is,
    *,
    claim: Claim | None = None,
    law: Callable[[Any], Law[Any]] | None = None,
    shown: Callable[[Any], Any] = as_it_is,
    transcript: Callable[[tuple[Any, ...]], Law[Any]] | None = None,
    symmetric: bool = True,
    tight: bool = False,
    labels: int = 1,
    kind: Kind | None = None,
) -> Case:
    """State that a mechanism costs what it says, on one universe of records.

    `law` and `shown` are those of `Route`. `transcript` is a law of the database that tells more
    than the mechanism's output. What stands in `tacit.learners` is a learner, and so on.
    """
    route = Route(mechanism, statistic, law, shown)
    return Case(
        target,
        setting,
        kind or _kind(mechanism),
        claim or mechanism.cost,
        tuple(universe),
        n,
        transcript or route,
        symmetric,
        tight,
        labels,
        route if transcript else None,
    )


def _kind(mechanism: Any) -> Kind:
    folder = type(mechanism).__module__.split(".")[1]
    return cast("Kind", folder.removesuffix("s"))


def spent(cost: Cost, delta: Exact = 0) -> Pure | Approximate:
    """Claim what a cost is priced at."""
    total = composition.price(cost, delta).privacy
    return Approximate(total.epsilon, total.delta) if total.delta else Pure(total.epsilon)


def rows(points: Iterable[Any], labels: int = 1) -> tuple[Row, ...]:
    """Return every point with all labels."""
    return tuple(product(points, product((0, 1), repeat=labels)))


def rows_of(concepts: Any) -> tuple[Row, ...]:
    """Return every point of a class with both labels."""
    return rows(tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist())
