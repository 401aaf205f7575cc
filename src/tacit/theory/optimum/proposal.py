"""What floats propose: a solution of the program by HiGHS, in units in which it is even."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from tacit.core.privacy import Privacy
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
