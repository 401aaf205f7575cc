"""From floats to certificates: what is nearly private or nearly a proof is made exactly so."""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush

from tacit.core.numbers.decay import growth
from tacit.core.privacy import Privacy
from tacit.theory.optimum.certificates import DualPrior, PrivateLaw
from tacit.theory.optimum.program import Program
from tacit.theory.optimum.proposal import Floats, Proposal

GRID = 160
"""Bits below the point of masses and flows: of 2^32 hypotheses one may have e^-32 and less."""
SHARES = 60
"""Bits below the point of shares of delta and of the prior."""


def private_law(program: Program, proposal: Proposal, privacy: Privacy) -> PrivateLaw:
    """Return a law near the proposed one that is private to the last bit.

    Proof:
        First masses are raised, largest first, until every edge holds. Then the sums Z of the
        states differ; with C = (E max Z - min Z) / (E - 1), each hypothesis also gets an even share
        of C - Z, which lies within a factor E for any two states. Sums of what changes by at most
        E change by at most E; all is divided by C. What is given away is about the floats' error.
    """
    slacks = _slacks(program, proposal, privacy.delta)
    factor = growth(privacy.epsilon)
    raised = _raised(program, _integers(proposal.masses, GRID), slacks, factor)
    totals, many = program.unknowns.totals(raised), program.unknowns.hypotheses
    up, down = factor.numerator, factor.denominator
    spread = -(-(up * max(totals) - down * min(totals)) // (up - down))
    whole = max(spread, 1 << GRID)
    masses = [
        mass * many + whole - totals[state]
        for mass, (state, _) in zip(raised, program.unknowns, strict=False)
    ]
    masses += [0] * program.limits.hubs
    for a, b, _ in program.limits:
        if b >= len(program.unknowns):
            masses[b] = max(masses[b], masses[a])
    return PrivateLaw(tuple(masses), whole * many)


def dual_prior(program: Program, proposal: Proposal) -> DualPrior:
    """Return the proposed prior and flows as integers; what enters a hub is cut to what leaves."""
    flows, hubs = _integers(proposal.flows, GRID), len(program.unknowns)
    entering, leaving = [0] * program.nodes, [0] * program.nodes
    for (a, b, _), flow in zip(program.limits, flows, strict=True):
        leaving[a] += flow
        entering[b] += flow
    for e, (_, b, _) in enumerate(program.limits):
        if b >= hubs and entering[b] > leaving[b]:
            flows[e] = flows[e] * leaving[b] // entering[b]
    weights = _integers(proposal.weights, SHARES)
    if not any(weights):  # nothing is lost: any prior says so
        weights[0] = 1
    return DualPrior(tuple(weights), tuple(flows), 1 << GRID)


def _integers(values: Floats, bits: int) -> list[int]:
    return [int(Fraction(max(value, 0.0)) * (1 << bits)) for value in values.tolist()]


def _slacks(program: Program, proposal: Proposal, delta: Fraction) -> list[int]:
    """Return what each edge may exceed; times their weights, those of a pair are within delta."""
    if program.limits.pairs is None:
        return [0] * len(program.limits.edges)
    shares, pairs = _integers(proposal.shares, SHARES), program.limits.pairs.tolist()
    taken = [0] * (max(pairs, default=0) + 1)
    for pair, share in zip(pairs, shares, strict=True):
        taken[pair] += share
    scale = delta.numerator << GRID
    return [
        scale * share // (delta.denominator * max(taken[pair], 1 << SHARES) * weight)
        for share, pair, weight in zip(shares, pairs, program.limits.weights, strict=True)
    ]


def _raised(program: Program, masses: list[int], slacks: list[int], factor: Fraction) -> list[int]:
    """Return the least masses above the given ones (hubs: above 0) for which every edge holds."""
    up, down = factor.numerator, factor.denominator
    out: list[list[tuple[int, bool, int]]] = [[] for _ in masses]
    for (a, b, grows), slack in zip(program.limits, slacks, strict=True):
        out[a].append((b, grows, slack))
    hubs = len(program.unknowns)
    masses[hubs:] = [0] * program.limits.hubs
    waiting = [(-mass, node) for node, mass in enumerate(masses)]
    heapify(waiting)
    while waiting:
        mass, node = heappop(waiting)
        if -mass < masses[node]:
            continue
        for other, grows, slack in out[node]:
            needed = -mass - slack
            if grows:
                needed = -(-needed * down // up)
            if needed > masses[other]:
                masses[other] = needed
                heappush(waiting, (-needed, other))
    return masses
