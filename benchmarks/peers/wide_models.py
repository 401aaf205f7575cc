"""MST and AIM on tables of many columns: run as a program in the environment of `synth`.

    python -m benchmarks.peers.wide_models rows.npz job.json made.npz

A job names a method, the sizes of the columns, an epsilon and a delta; its answer are as many rows
as it was given, drawn as the library draws them. mbi's wheel has no mechanisms: these follow those
of its repository, `mechanisms/mst.py` and `mechanisms/aim.py`, and are fitted by the library. AIM's
workload are all sets of three columns. Two changes for time: its model has at most the job's
`megabytes` (80 there), and is asked by one contraction for each set, whose answers are the same.
Their neighbours differ in a row that is added or removed.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import mbi  # type: ignore[import-not-found]
import networkx as nx  # type: ignore[import-untyped]
import numpy as np
import opt_einsum  # type: ignore[import-not-found]
from mbi import estimation, junction_tree

from benchmarks.peers.synth_models import drawn, rho_of

Array = np.ndarray[Any, Any]
WIDTH = 3
STEPS = 1000
"""Steps of mirror descent in each round of AIM; MST has 2,500, and 10,000 for its last model."""


def mst(rows: Array, sizes: Sequence[int], rho: float) -> Array:
    """Measure single columns, then a tree of pairs that is chosen privately."""
    sigma, dims = math.sqrt(3 / (2 * rho)), len(sizes)
    alone, kept, small = sigma * math.sqrt(dims), [], []
    seen = list[Any]()
    for column, size in enumerate(sizes):
        noisy = _noisy(rows, sizes, (column,), alone)
        often = noisy >= 3 * alone  # rare values are one value from here on
        kept.append(often)
        merged, rest = noisy[often], size - int(often.sum())
        weights = np.ones(len(merged) + (rest > 0))
        if rest:
            weights[-1] = 1 / math.sqrt(rest)
            merged = np.append(merged, noisy[~often].sum() * weights[-1])
        query = mbi.WeightedQuery(weights) if rest else mbi.DatavectorQuery()
        seen.append(mbi.LinearMeasurement(merged, (column,), alone, query=query))
        small.append(len(weights))
    coded = np.stack(
        [np.where(o[c], np.cumsum(o)[c] - 1, o.sum()) for o, c in zip(kept, rows.T, strict=True)], 1
    )
    domain = mbi.Domain(range(dims), small)
    model = estimation.MirrorDescent().estimate(domain, seen, iters=2500)
    pairs = list(combinations(range(dims), 2))
    off = {p: np.abs(_counted(coded, small, p) - _told(model, p)).sum() for p in pairs}
    tree = nx.Graph()
    tree.add_nodes_from(range(dims))
    for _ in range(dims - 1):
        left = [p for p in pairs if not nx.has_path(tree, *p)]
        rate = math.sqrt(8 * rho / 3 / (dims - 1)) / 2
        tree.add_edge(*left[drawn(rate * np.array([off[p] for p in left]))])
    both = sigma * math.sqrt(dims - 1)
    for pair in tree.edges:
        pair = tuple(sorted(pair))
        seen.append(mbi.LinearMeasurement(_noisy(coded, small, pair, both), pair, both))
    model = estimation.MirrorDescent().estimate(domain, seen, iters=10_000)
    made, floats = _rows(model, len(rows)), np.random.default_rng()
    for column, often in enumerate(kept):
        places, rare = np.flatnonzero(often), np.flatnonzero(~often)
        one = made[:, column]
        last = one >= len(places)
        made[:, column] = np.append(places, 0)[one]
        made[last, column] = floats.choice(rare, last.sum()) if len(rare) else 0
    return made


def aim(rows: Array, sizes: Sequence[int], rho: float, megabytes: float) -> Array:
    """Measure in each round the set of columns where the model is worst by much more than noise."""
    dims, domain = len(sizes), mbi.Domain(range(len(sizes)), sizes)
    weights = {
        c: sum(math.comb(width, k) * math.comb(dims - width, WIDTH - k) * k for k in range(4))
        for width in range(1, WIDTH + 1)
        for c in combinations(range(dims), width)
    }
    truth = {c: _counted(rows, sizes, c) for c in weights}
    sigma, rate = math.sqrt(16 * dims / (1.8 * rho)), math.sqrt(0.8 * rho / (16 * dims))
    used = dims * 0.5 / sigma**2
    seen = [
        mbi.LinearMeasurement(_noisy(rows, sizes, (i,), sigma), (i,), sigma) for i in range(dims)
    ]
    model = estimation.MirrorDescent().estimate(domain, seen, iters=STEPS)
    last = False
    while not last:
        if rho - used < 2 * (0.5 / sigma**2 + rate**2 / 8):
            left, last = rho - used, True
            sigma, rate = math.sqrt(1 / (1.8 * left)), math.sqrt(0.8 * left)
        used += rate**2 / 8 + 0.5 / sigma**2
        cliques, limit = list(model.cliques), megabytes * used / rho
        kept = [
            c
            for c in weights
            if any(set(c) <= set(held) for held in cliques)
            or junction_tree.hypothetical_model_size(domain, [*cliques, c]) <= limit
        ]
        usual, told = math.sqrt(2 / math.pi) * sigma, _asked(model, kept)
        scores = [
            weights[c] * (np.abs(truth[c] - told[c]).sum() - usual * truth[c].size) for c in kept
        ]
        most = max(weights[c] for c in kept)
        chosen = kept[drawn(rate * np.array(scores) / (2 * most))]
        seen.append(mbi.LinearMeasurement(_noisy(rows, sizes, chosen, sigma), chosen, sigma))
        model = estimation.MirrorDescent().estimate(domain, seen, iters=STEPS, warm_start=model)
        print(f"{used / rho:.3f} {chosen}", flush=True)
        if np.abs(_told(model, chosen) - told[chosen]).sum() <= usual * truth[chosen].size:
            sigma, rate = sigma / 2, 2 * rate
    return _rows(model, len(rows))


def _asked(model: Any, sets: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], Array]:
    """Return the model's counts of each set of columns."""
    factors = list[Any]()
    for clique in model.cliques:
        logs = np.asarray(model.potentials.tables[clique].datavector(flatten=False), dtype=float)
        factors += [np.exp(logs - logs.max()), [int(i) for i in clique]]
    told = {}
    for chosen in sets:
        counts = np.asarray(opt_einsum.contract(*factors, list(chosen), optimize="greedy"))
        told[chosen] = (counts * (float(model.total) / counts.sum())).ravel()
    return told


def _told(model: Any, chosen: tuple[int, ...]) -> Array:
    return np.asarray(model.project(chosen).datavector(), dtype=float)


def _counted(rows: Array, sizes: Sequence[int], chosen: Sequence[int]) -> Array:
    shape = [sizes[i] for i in chosen]
    cells = np.ravel_multi_index(tuple(rows[:, i] for i in chosen), shape)
    return np.bincount(cells, minlength=math.prod(shape)).astype(float)


def _noisy(rows: Array, sizes: Sequence[int], chosen: Sequence[int], sigma: float) -> Array:
    counts = _counted(rows, sizes, chosen)
    return counts + np.random.default_rng().normal(0, sigma, counts.size)


def _rows(model: Any, many: int) -> Array:
    drawn_rows = model.synthetic_data(rows=many).to_dict()
    return np.stack([np.asarray(drawn_rows[i], dtype=np.int64) for i in sorted(drawn_rows)], axis=1)


def main(stored: str, todo: str, done: str) -> None:
    """Answer the job."""
    warnings.simplefilter("ignore")
    rows, job = np.load(stored)["rows"], json.loads(Path(todo).read_text())
    rho = rho_of(job["epsilon"], job["delta"])
    if job["method"] == "MST":
        made = mst(rows, job["sizes"], rho)
    else:
        made = aim(rows, job["sizes"], rho, job["megabytes"])
    np.savez(done, rows=made)


if __name__ == "__main__":
    main(*sys.argv[1:])
