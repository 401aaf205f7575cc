"""What a target claims, as a case: its law or its transcript beside its sampler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any, cast, overload

from tacit import statistics
from tacit.core import Exact, Law, composition
from tacit.core.cost import Added, Approximate, Cost, Pure, ReleaseCost
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim, Kind, budget
from tacit.verify.route import Route, as_it_is, jointly, labelled
from tacit.verify.sampling import Probe

Audited = tuple[tuple[Case, ...], tuple[Probe, ...]]
"""The cases of one target, and the probes beyond the sizes that are enumerated."""
Row = tuple[Any, ...]
"""A point with its labels."""
Rows = tuple[Any, ...]
"""A database."""
Read = Callable[[Rows], Any]
"""From a database to the statistic of it that a mechanism takes."""

counts = statistics.Counts.of


def case(
    mechanism: Any,
    n: int,
    about: str = "",
    universe: Iterable[Any] | None = None,
    read: Read | None = None,
    *,
    claim: Claim | None = None,
    law: Callable[[Any], Law[Any]] | None = None,
    shown: Callable[[Any], Any] = as_it_is,
    transcript: Callable[[Any], Law[Any]] | None = None,
    symmetric: bool = True,
    tight: bool = False,
    labels: int | None = None,
    drawn: bool = True,
    kind: Kind | None = None,
) -> Case:
    """State that a mechanism costs what it says, on all databases of n records of a universe.

    What is not given is as usual: what stands in `tacit.learners` is a learner, which reads rows of
    its class with as many labels as it learns; a sanitizer reads counts. `law` and `shown` are
    those of `Route`; `transcript` is a law of what is read that tells more than the output. What is
    not `drawn` from has a law and no sampler.

    The target has no name yet: the registry names it after the function that makes its cases.
    """
    told = kind or cast("Kind", type(mechanism).__module__.split(".")[1].removesuffix("s"))
    many: int = getattr(mechanism, "labels", 1) if labels is None else labels
    usual = {
        "learner": jointly(many) if hasattr(mechanism, "labels") else labelled,
        "sanitizer": counts,
    }
    route = Route(mechanism, read or usual.get(told, as_it_is), law, shown)
    paid = claim or mechanism.cost
    whole = transcript or (None if drawn else route.law or mechanism.law)
    return Case(
        "",
        f"{about or mechanism.concepts}, n={n}, epsilon={float(budget(paid)):.4g}",
        told,
        paid,
        rows_of(mechanism.concepts) if universe is None else tuple(universe),
        n,
        (lambda database: whole(route.statistic(database))) if whole else route,
        symmetric,
        tight,
        many,
        route if whole and drawn else None,
    )


@overload
def spent(cost: Cost, delta: Exact = 0) -> Pure | Approximate: ...
@overload
def spent(cost: Added, delta: Exact = 0) -> Added: ...
def spent(cost: ReleaseCost, delta: Exact = 0) -> Pure | Approximate | Added:
    """Claim what a cost is priced at, for the same neighbours."""
    total = composition.price(cost, delta).privacy
    leaf = Approximate(total.epsilon, total.delta) if total.delta else Pure(total.epsilon)
    return Added(leaf) if isinstance(cost, Added) else leaf


def on_line(bits: int) -> Read:
    """Count numbers of so many bits in their order."""
    return partial(statistics.LineCounts.of, bits=bits)


def rows(points: Iterable[Any], labels: int = 1) -> tuple[Row, ...]:
    """Return every point with all labels."""
    return tuple(product(points, product((0, 1), repeat=labels)))


def rows_of(concepts: Any) -> tuple[Row, ...]:
    """Return every point of a class with both labels."""
    return rows(tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist())


def cut(low: int, high: int) -> Callable[[Any], Any]:
    """Tell numbers below and above the two ends as the ends, which loses nothing."""

    def shown(told: Any) -> Any:
        return min(max(told, low), high) if isinstance(told, int) else tuple(map(shown, told))

    return shown
