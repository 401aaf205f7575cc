"""Synthetic tables of other packages: run as a program in an environment of their own.

    python synth_models.py arrays.npz jobs.json answers.npz

A job names an array of rows of bits, a method, an epsilon and a delta; its answer is the expected
count of every cell under the method's model, which is kinder than its rows, and the seconds that it
took. mbi's wheel has no mechanisms: MWEM+PGM and AIM are those of its repository, `mechanisms/`,
with all marginals of three attributes as the workload, and one change for speed that is no change
of the result: the model is projected to all cells once a round, not to each marginal. Their
neighbours differ in a row that is added or removed.
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import mbi  # type: ignore[import-not-found]
import numpy as np
from mbi import estimation, junction_tree
from snsynth.mwem import MWEMSynthesizer  # type: ignore[import-not-found]

WIDTH = 3
ITERATIONS = 1000
Array = np.ndarray[Any, Any]


def smartnoise_mwem(rows: Array, epsilon: float, _: float) -> Array:
    """Run MWEM of smartnoise-synth with its defaults; above 12 attributes in groups, as it advises.

    It counts cells by `numpy.histogramdd`, which holds 4 for each 2: for 16 bits 32 gigabytes.
    """
    dims = rows.shape[1]
    made = MWEMSynthesizer(epsilon=epsilon, split_factor=10 if dims > 12 else None)
    made.fit(rows, categorical_columns=list(range(dims)), preprocessor_eps=0.0)
    cells = np.ones((2,) * dims)
    for values, _, split in made.synthetic_histograms:
        wide = [2 if i in split else 1 for i in range(dims)]
        cells = cells * (np.asarray(values) / np.sum(values)).reshape(wide)
    return len(rows) * cells.ravel()


def mwem_pgm(rows: Array, epsilon: float, delta: float) -> Array:
    """Measure as many marginals as there are attributes, each where the model is worst."""
    model = _Fitted(rows)
    rounds = rows.shape[1]
    each = rho_of(epsilon, delta) / rounds
    sigma, choice = math.sqrt(0.5 / (0.9 * each)), math.sqrt(8 * 0.1 * each)
    triples = list(combinations(range(rows.shape[1]), WIDTH))
    for done in range(rounds):
        limit = 25 * (done + 1) / rounds
        kept = [name for name in triples if model.megabytes(name) <= limit]
        scores = [model.distance(name) - 2 ** len(name) for name in kept]
        model.measure(kept[drawn(choice * np.array(scores) / 2)], sigma)
    return model.cells()


def aim(rows: Array, epsilon: float, delta: float) -> Array:
    """Run AIM: the noise is halved whenever a measurement has told nothing new."""
    model, dims = _Fitted(rows), rows.shape[1]
    rho = rho_of(epsilon, delta)
    weights = {
        name: sum(math.comb(width, k) * math.comb(dims - width, WIDTH - k) * k for k in range(4))
        for width in range(1, WIDTH + 1)
        for name in combinations(range(dims), width)
    }
    sigma, choice = math.sqrt(16 * dims / (1.8 * rho)), math.sqrt(0.8 * rho / (16 * dims))
    used = dims * 0.5 / sigma**2
    for single in range(dims):
        model.measure((single,), sigma, fit=single == dims - 1)
    last = False
    while not last:
        if rho - used < 2 * (0.5 / sigma**2 + choice**2 / 8):
            left, last = rho - used, True
            sigma, choice = math.sqrt(1 / (1.8 * left)), math.sqrt(0.8 * left)
        used += choice**2 / 8 + 0.5 / sigma**2
        kept = [n for n in weights if model.megabytes(n) <= 80 * used / rho or model.covers(n)]
        usual = math.sqrt(2 / math.pi) * sigma
        scores = [weights[n] * (model.distance(n) - usual * 2 ** len(n)) for n in kept]
        most = max(weights[n] for n in kept)
        name = kept[drawn(choice * np.array(scores) / (2 * most))]
        before = model.marginal(name)
        model.measure(name, sigma)
        if np.abs(model.marginal(name) - before).sum() <= usual * 2 ** len(name):
            sigma, choice = sigma / 2, 2 * choice
    return model.cells()


class _Fitted:
    """Noisy marginals of some rows, and the graphical model that fits them best."""

    def __init__(self, rows: Array) -> None:
        dims = rows.shape[1]
        self.domain = mbi.Domain(range(dims), (2,) * dims)
        truth = np.bincount(rows @ (1 << np.arange(dims)[::-1]), minlength=1 << dims)
        self.truth = truth.astype(np.float64).reshape((2,) * dims)
        self.seen: list[Any] = []
        self.model: Any = None
        self.now = np.full((2,) * dims, len(rows) / 2**dims)
        self.known: dict[Any, Any] = {}

    def megabytes(self, name: tuple[int, ...]) -> float:
        """Return how large the model would be with one more marginal."""
        cliques = {m.clique for m in self.seen} | {name}
        return float(junction_tree.hypothetical_model_size(self.domain, sorted(cliques)))

    def covers(self, name: tuple[int, ...]) -> bool:
        """Whether a marginal of which this is a part has been measured."""
        return any(set(name) <= set(m.clique) for m in self.seen)

    def marginal(self, name: Sequence[int]) -> Array:
        """Return what the model says of some attributes."""
        rest = tuple(i for i in range(self.now.ndim) if i not in name)
        return np.asarray(self.now.sum(axis=rest))

    def distance(self, name: tuple[int, ...]) -> float:
        """Return how far the model is from the rows on some attributes."""
        rest = tuple(i for i in range(self.now.ndim) if i not in name)
        return float(np.abs(self.gap().sum(axis=rest)).sum())

    def gap(self) -> Array:
        """Return the rows minus the model, all cells."""
        if "gap" not in self.known:
            self.known["gap"] = self.truth - self.now
        return np.asarray(self.known["gap"])

    def measure(self, name: tuple[int, ...], sigma: float, *, fit: bool = True) -> None:
        """Add noise to a marginal, and fit the model to all of them."""
        rest = tuple(i for i in range(self.truth.ndim) if i not in name)
        values = self.truth.sum(axis=rest).ravel()
        noisy = values + np.random.default_rng().normal(0, sigma, values.size)
        self.seen.append(mbi.LinearMeasurement(noisy, name, stddev=sigma))
        if fit:
            self.model = estimation.MirrorDescent().estimate(
                self.domain, self.seen, iters=ITERATIONS, warm_start=self.model
            )
            self.now = np.asarray(self.model.project(range(self.truth.ndim)).datavector())
            self.now = self.now.astype(np.float64).reshape(self.truth.shape)
            self.known = {}

    def cells(self) -> Array:
        """Return the expected counts of all cells, as many in total as there are rows."""
        return np.asarray(self.now.ravel() * (self.truth.sum() / self.now.sum()))


def drawn(logs: Array) -> int:
    shares = np.exp(logs - logs.max())
    return int(np.random.default_rng().choice(len(logs), p=shares / shares.sum()))


def rho_of(epsilon: float, delta: float) -> float:
    """Return the greatest rate of zCDP that gives this epsilon and delta [CKS20, Cor. 13]."""
    orders = np.linspace(1.001, 200, 200_000)

    def log_delta(rho: float) -> float:
        logs = (orders - 1) * (orders * rho - epsilon) + orders * np.log1p(-1 / orders)
        return float((logs - np.log(orders - 1)).min())

    low, high = 0.0, epsilon
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if log_delta(middle) <= math.log(delta) else (low, middle)
    return low


METHODS: dict[str, Callable[[Array, float, float], Array]] = {
    "smartnoise MWEM": smartnoise_mwem,
    "mbi MWEM+PGM": mwem_pgm,
    "mbi AIM": aim,
}


def main(arrays: str, jobs: str, answers: str) -> None:
    """Answer all jobs."""
    warnings.simplefilter("ignore")
    loaded, told = np.load(arrays), dict[str, Any]()
    for place, job in enumerate(json.loads(Path(jobs).read_text())):
        start = time.perf_counter()
        cells = METHODS[job["method"]](loaded[job["sample"]], job["epsilon"], job["delta"])
        told[f"{place}/seconds"] = np.array(time.perf_counter() - start)
        told[f"{place}/cells"] = cells
    np.savez(answers, **told)


if __name__ == "__main__":
    main(*sys.argv[1:])
