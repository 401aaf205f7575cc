"""What floats propose: a solution of the program by HiGHS, in units in which it is even."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from heapq import heapify, heappop, heappush
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from tacit.core.numbers.decay import growth
from tacit.core.privacy import Privacy
from tacit.theory.optimum.certificates import DualPrior, PrivateLaw
from tacit.theory.optimum.program import Program

METHODS = ("highs-ipm", "highs-ds")
"""Interior points with crossover; the simplex method takes ten times as long, but gives up less."""
TINY = 1e-10
"""HiGHS's own; in the units below it is relative to what each hypothesis has."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Floats near an optimum: masses of nodes, shares of delta by edge, weights, and flows."""

    masses: Floats
    shares: Floats
    weights: Floats
    flows: Floats


def propose(program: Program, privacy: Privacy, *, floor: float = 0.0) -> Proposal | None:
    """Solve the program by floats; None if HiGHS gives up.

    A node is measured in units of what the exponential mechanism gives it, which is private: so
    the factors of all edges lie between 1 and e^(2 epsilon), though probabilities do not (of 2^32
    candidates those without votes may have e^-32 each, and half of all mass together). No state's
    hypotheses of one kind are measured in less than `floor` of all mass, which helps the dual.
    """
    limits, unknowns, losses = program.limits, program.unknowns, program.losses
    rate, delta, nodes = float(privacy.epsilon), float(privacy.delta), program.nodes
    units, (a, b) = _units(program, rate, floor), limits.edges.T
    many, lines = len(a), len(losses.names)
    slacks = many if limits.pairs is not None else 0
    last = nodes + slacks
    edge = np.arange(many)
    factors = np.where(limits.grows, math.exp(rate), 1.0) * units[b] / units[a]
    weights = np.array([float(w) for w in limits.weights])
    lost = np.array([w / losses.denominator for w in losses.numerators])
    entries = [
        (edge, a, np.ones(many)),
        (edge, b, -factors),
        (many + losses.lines, losses.columns, lost * units[losses.columns]),
        (many + np.arange(lines), np.full(lines, last), -np.ones(lines)),
    ]
    rows, most = many + lines, np.zeros(many + lines)
    if limits.pairs is not None:
        entries.append((edge, nodes + edge, -delta / (units[a] * weights)))
        entries.append((rows + limits.pairs, nodes + edge, np.ones(many)))
        pairs = int(limits.pairs.max(initial=-1)) + 1
        rows, most = rows + pairs, np.append(most, np.ones(pairs))
    i, j, value = (np.concatenate(part) for part in zip(*entries, strict=True))
    alike = np.array([float(m) for m in unknowns.multiplicities])
    each = coo_array(
        (units[: len(unknowns)] * alike, (unknowns.states, np.arange(len(unknowns)))),
        shape=(unknowns.databases, last + 1),
    )
    asked = partial(
        linprog,
        np.append(np.zeros(last), 1.0),
        A_ub=coo_array((value, (i, j)), shape=(rows, last + 1)).tocsr(),
        b_ub=most,
        A_eq=each.tocsr(),
        b_eq=np.ones(each.shape[0]),
        bounds=[*[(0, None)] * last, (None, None)],
        options={f"{side}_feasibility_tolerance": TINY for side in ("primal", "dual")},
    )
    solved = next((s for method in METHODS if (s := _apart(asked, method)).status == 0), None)
    if solved is None:
        return None
    dual = np.maximum(-solved.ineqlin.marginals, 0)
    return Proposal(
        solved.x[:nodes] * units,
        np.maximum(solved.x[nodes:last], 0),
        dual[many : many + lines],
        dual[:many] / units[a],
    )


def _apart(asked: Callable[..., Any], method: str) -> Any:
    """Solve in a thread of its own: HiGHS sees no interrupt, but who waits for it does."""
    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(asked(method=method))
        except BaseException as error:  # whatever it is, it is raised where it was asked for
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result()


def _units(program: Program, rate: float, floor: float) -> Floats:
    """Return what the exponential mechanism gives each unknown; a hub has the most of its own."""
    unknowns, states = program.unknowns, program.unknowns.states
    logs = -rate / 2 * (unknowns.errors - unknowns.errors.min())
    alike = np.array([float(m) for m in unknowns.multiplicities])
    units = np.zeros(program.nodes)
    even = np.exp(logs) / np.bincount(states, np.exp(logs) * alike)[states]
    units[: len(unknowns)] = np.maximum(even, floor / alike)
    a, b = program.limits.edges.T
    into = b >= len(unknowns)
    np.maximum.at(units, b[into], units[a[into]])
    return units


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
