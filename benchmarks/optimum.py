"""The exact optima that are known: each reproduced with both certificates, beside our learners."""

from __future__ import annotations

import time
from fractions import Fraction

from rich.console import Console
from rich.table import Table

from benchmarks import judged
from tacit.concepts.contract.finite import Finite
from tacit.theory.optimum.optimum import Optimum, optimum, votes
from tacit.workflows.regret import Regret, regrets, vote_regrets

THRESHOLDS = [
    (2, 8, "0.5", 0.1430),
    (2, 8, "2", 0.0280),
    (3, 4, "1", 0.1647),
    (3, 10, "1", 0.0687),
    (4, 4, "1", 0.1851),
    (5, 4, "1", 0.1998),
    (6, 2, "2", 0.1612),
    (5, 6, "1", 0.1439),
    (6, 5, "1", 0.1794),
    (10, 3, "1", 0.2975),
]
"""Points, rows, epsilon, and the worst expected excess error of the best proper learner."""
VOTES = [
    (64, 12, "1", "1", 0.009812),
    (10**4, 12, "2", "1", 0.000258),
    (256, 14, "1", "1", 0.007093),
    (10**6, 14, "2", "1", 0.000289),
    (10**8, 10, "3", "1", 0.001496),
    (8, 16, "0.5", "1", 0.024220),
    (1 << 32, 16, "2", "1", 0.002555),
    (10**6, 14, "2", "0.8", 0.020835),
]
"""Candidates, rows, epsilon, the share of rows that vote, and the least failure."""
LONGEST = 120.0
"""CPU seconds of one core that an optimum may take."""


def report() -> int:
    """Print all; the status says whether each is proved, near the number, and in time."""
    table = Table(
        "", "lower", "upper - lower", "p. and flip", "exponential", "seconds", "", box=None
    )
    held = []
    for m, n, epsilon, least in THRESHOLDS:
        concepts = Finite(tuple(tuple(x >= t for x in range(m)) for t in range(m + 1)))
        start = time.process_time()
        best = optimum(concepts, n=n, epsilon=epsilon, proper=True, agnostic=True)
        took = time.process_time() - start
        learners = {each.name: each for each in regrets(best, seconds=60)[0]}
        ours = [learners["permute-and-flip"], learners["generic"]]
        held.append(_row(table, f"thresholds {m}, {n}, {epsilon}", best, ours, least, took))
    for candidates, n, epsilon, mass, least in VOTES:
        start = time.process_time()
        counted = votes(candidates, n=n, epsilon=epsilon, mass=mass)
        took = time.process_time() - start
        ours = vote_regrets(counted, candidates, n, Fraction(mass))
        name = f"votes {candidates}, {n}, {epsilon}, {mass}"
        held.append(_row(table, name, counted, ours, least, took))
    Console(width=140).print(table)
    return max(judged.report(), 0 if all(held) else 1)


def _row(
    table: Table, name: str, best: Optimum, ours: list[Regret], least: float, took: float
) -> bool:
    near = abs(float(best.lower) - least) <= max(6e-5 * (least > 0.02), least / 500)
    held = best.verify() and near and best.upper - best.lower <= best.upper / 10**4
    told = "holds" if held and took <= LONGEST else "MISSED"
    losses = [f"{float(each.loss):.4f}" for each in ours]
    gap = f"{float(best.upper - best.lower):.1e}"
    table.add_row(name, f"{float(best.lower):.6f}", gap, *losses, f"{took:.1f}", told)
    return told == "holds"
