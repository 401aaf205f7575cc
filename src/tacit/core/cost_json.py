"""Costs as JSON: exact numbers are strings such as "1/10", trees are objects."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from tacit.core import cost as costs
from tacit.core.errors import InvalidArgument

LEAVES: dict[str, Any] = {
    "pure": costs.Pure,
    "approximate": costs.Approximate,
    "bounded_range": costs.BoundedRange,
    "zero_concentrated": costs.ZeroConcentrated,
    "gaussian": costs.Gaussian,
    "near_gaussian": costs.NearGaussian,
}
"""What a leaf is called in a file; its fields have the names that they have here."""


def encode_cost(cost: costs.ReleaseCost) -> dict[str, Any]:
    """Return a JSON object for a cost.

    >>> encode_cost(costs.Repeat(costs.Pure("1/10"), 3))
    {'repeat': {'pure': {'epsilon': '1/10'}}, 'times': 3, 'adaptive': True}
    """
    match cost:
        case costs.Added(part):
            return {"added": encode_cost(part)}
        case costs.Sequential(parts) | costs.Parallel(parts):
            name = "sequential" if isinstance(cost, costs.Sequential) else "parallel"
            return {name: [encode_cost(part) for part in parts]}
        case costs.Repeat(part, times, adaptive):
            return {"repeat": encode_cost(part), "times": times, "adaptive": adaptive}
        case costs.Subsample(part, drawn, rows, replacement):
            inner = encode_cost(part)
            return {"subsample": inner, "drawn": drawn, "rows": rows, "replacement": replacement}
    told = {each.name: getattr(cost, each.name) for each in fields(cost)}
    exact = {name: str(x) if isinstance(x, Fraction) else x for name, x in told.items()}
    return {next(name for name, leaf in LEAVES.items() if type(cost) is leaf): exact}


def decode_cost(encoded: dict[str, Any]) -> costs.ReleaseCost:
    """Read back what `encode_cost` wrote.

    >>> decode_cost({"parallel": [{"pure": {"epsilon": "1"}}]})
    Parallel(parts=(Pure(epsilon=Fraction(1, 1)),))
    """
    match encoded:
        case {"added": dict(part)} if len(encoded) == 1:
            return costs.Added(_decoded(part))
    return _decoded(encoded)


def _decoded(encoded: dict[str, Any]) -> costs.Cost:
    try:
        match encoded:
            case {"sequential": [*parts]}:
                return costs.Sequential(*map(_decoded, parts))
            case {"parallel": [*parts]}:
                return costs.Parallel(*map(_decoded, parts))
            case {"repeat": part, "times": times, "adaptive": adaptive}:
                return costs.Repeat(_decoded(part), times, adaptive=bool(adaptive))
            case {"subsample": part, "drawn": drawn, "rows": rows, "replacement": replacement}:
                return costs.Subsample(_decoded(part), drawn, rows, replacement=bool(replacement))
        ((name, arguments),) = encoded.items()
        leaf: costs.Cost = LEAVES[name](**arguments)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidArgument(f"not a cost: {error}") from None
    return leaf
