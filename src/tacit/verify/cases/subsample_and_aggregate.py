"""Subsample and aggregate: blocks by coins and by position, with and without switching votes."""

from __future__ import annotations

from collections.abc import Callable

from tacit.core.numbers.exact import Exact
from tacit.mechanisms.stable.subsample_and_aggregate import SubsampleAndAggregate
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

Rows = tuple[str, ...]
Base = Callable[[Rows], str | None]


def plurality(rows: Rows) -> str | None:
    """Vote for the letter that occurs most often; abstain on a tie and without rows."""
    ranked = sorted(((rows.count(letter), letter) for letter in set(rows)), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def unanimity(rows: Rows) -> str | None:
    """Vote for the letter of all rows; two at least, so that one replaced row turns no vote."""
    return rows[0] if len(rows) > 1 and len(set(rows)) == 1 else None


def last(rows: Rows) -> str | None:
    """Vote for the last row's letter: the order of the rows matters."""
    return rows[-1] if rows else None


def _case(
    name: str,
    base: Base,
    blocks: int,
    n: int,
    epsilon: Exact,
    delta: Exact,
    *,
    coins: bool,
    switch: bool = True,
    symmetric: bool = True,
    tight: bool = False,
) -> Case:
    vote = SubsampleAndAggregate(
        base, blocks=blocks, epsilon=epsilon, delta=delta, coins=coins, switch=switch
    )
    by = "coins" if coins else "position"
    return Case(
        "subsample-and-aggregate",
        f"{name}, n={n}, {blocks} blocks by {by}, epsilon={epsilon}, delta={delta}",
        "mechanism",
        vote.cost,
        ("a", "b", "c"),
        n,
        Route(vote, as_it_is),
        symmetric=symmetric,
        tight=tight,
    )


CASES = (
    _case("plurality", plurality, 3, 5, "1", "1/10", coins=True),
    _case("plurality", plurality, 2, 6, "1/2", "1/100", coins=True),
    _case("last", last, 3, 4, "1", "1/10", coins=True, symmetric=False),
    _case("unanimity", unanimity, 2, 6, "1", "1/20", coins=True, switch=False),
    _case("plurality", plurality, 2, 6, "1", "1/10", coins=False, symmetric=False, tight=True),
    _case("single rows", last, 6, 6, "1/2", "1/50", coins=False, tight=True),
    _case("single rows", last, 7, 7, "2", "1/1000", coins=False, tight=True),
    _case(
        "unanimity",
        unanimity,
        3,
        6,
        "1",
        "1/100",
        coins=False,
        switch=False,
        symmetric=False,
        tight=True,
    ),
    _case("single rows", last, 4, 4, "6", "1/100", coins=False),
)

PROBES = tuple(
    Probe(
        _case("plurality", plurality, 20, 1000, epsilon, delta, coins=False, symmetric=False),
        300,
        ("a",) * 1000,
    )
    for epsilon, delta in (("1/10", "1/100"), ("8", "2e-32"))
)
