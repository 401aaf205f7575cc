"""A cost tree in words: one node a cost, equal neighbours merged."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from tacit.core import cost as costs
from tacit.core.numbers.shown import at_most
from tacit.interfaces.report.blocks import Node


def cost_tree(cost: costs.ReleaseCost) -> Node:
    """Say what a cost is made of.

    >>> cost_tree(costs.Repeat(costs.BoundedRange("0.1"), 3, adaptive=False)).said
    '3 times, all fixed before the first is drawn'
    """
    match cost:
        case costs.Added(part):
            return Node("where one is added or removed", (cost_tree(part),))
        case costs.Pure(epsilon):
            return Node(f"a release of ε = {short(epsilon)}")
        case costs.Approximate(epsilon, delta):
            return Node(f"a release of ε = {short(epsilon)}, δ = {short(delta)}")
        case costs.BoundedRange(epsilon):
            return Node(f"a choice of ε = {short(epsilon)}, whose loss has a bounded range")
        case costs.ZeroConcentrated(rho):
            return Node(f"a release of ρ = {short(rho)} (zero-concentrated)")
        case costs.NearGaussian(rho):
            return Node(f"Gaussian noise of ρ = {short(rho)} on vectors of integers")
        case costs.Gaussian(sigma_squared, sensitivity):
            variance = short(sigma_squared)
            return Node(
                f"Gaussian noise of σ² = {variance} on a number of sensitivity {sensitivity}"
            )
        case costs.Sequential(parts):
            return Node("one after the other, on the same rows", _parts(parts))
        case costs.Parallel(parts):
            return Node("side by side, each on rows of its own", _parts(parts))
        case costs.Repeat(part, times, adaptive):
            how = "each may depend on the earlier" if adaptive else "all fixed before the first"
            fixed = "" if adaptive else " is drawn"
            return Node(f"{times} times, {how}{fixed}", (cost_tree(part),))
        case costs.Subsample(part, drawn, rows, replacement):
            way = "with" if replacement else "without"
            said = f"on a secret sample of {drawn} of {rows} rows, drawn {way} replacement"
            return Node(said, (cost_tree(part),))


def _parts(parts: tuple[costs.Cost, ...]) -> tuple[Node, ...]:
    nodes = []
    for part, same in groupby(parts):
        count, node = len(list(same)), cost_tree(part)
        nodes.append(node if count == 1 else Node(f"{count} of these", (node,)))
    return tuple(nodes)


def short(number: Fraction) -> str:
    """Write a number with six significant digits, rounded up."""
    return at_most(number, 6)
