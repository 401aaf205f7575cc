"""What private peers reach on the public tables: each with its best setting, known by hindsight."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.peers import environment, noisy_sgd
from benchmarks.peers.noisy_sgd import NoisySgd
from benchmarks.public import moments
from benchmarks.public.moments import NoisyMoments
from benchmarks.public.rows import Rows, Split

DELTA = "1e-6"
BOOSTED = ((32, 0.01, 300), (16, 0.05, 60), (8, 0.05, 60))
"""Bins, rates and rounds of DP-EBM; the first are its defaults."""
ASKED: dict[str, tuple[str, float, Sequence[Any]]] = {
    "DP-EBM": ("DP-EBM", 1, BOOSTED),
    "DP-EBM, half": ("DP-EBM", 0.5, BOOSTED),
    "diffprivlib LR": ("diffprivlib LR", 1, (0.3, 0.6, 1.0)),
    "diffprivlib NB": ("diffprivlib NB", 1, (None,)),
}
"""Models of other libraries by the name they get here, what part of epsilon they are asked for, and
their settings. DP-EBM protects against a row that is added or removed: asked for half of epsilon it
promises what everybody else here does, for replaced rows."""
OPEN = ("LR", "GBM")
OWN = ("noisy SGD", "noisy moments")
EQUAL = ("DP-EBM, half", "diffprivlib LR", "diffprivlib NB", *OWN)
"""Peers whose promise is ours."""
PROGRAM = Path(__file__).with_name("peer_models.py")
Key = tuple[str, str, float]
"""A table, a learner and an epsilon (0 where there is no privacy)."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Mean test error, and mean area under the ROC curve, over the splits."""

    error: float
    area: float


def measure(tables: Sequence[Rows], seeds: int, epsilons: Sequence[float]) -> dict[Key, Reached]:
    """Measure all peers, table by table."""
    found: dict[Key, Reached] = {}
    for rows in tables:
        splits = [rows.split(seed) for seed in range(seeds)]
        told: dict[tuple[str, float, Any], list[tuple[float, float]]] = {}
        jobs = list(_jobs(rows, seeds, epsilons))
        answers = _asked(splits, [job for job, *_ in jobs])
        for (job, name, epsilon), scores in zip(jobs, answers, strict=True):
            judged = splits[int(job["sample"])].judged(scores)
            told.setdefault((name, epsilon, str(job["setting"])), []).append(judged)
        for name, epsilon, setting, judged in _own(splits, epsilons):
            told.setdefault((name, epsilon, setting), []).append(judged)
        for name, epsilon in dict.fromkeys((name, epsilon) for name, epsilon, _ in told):
            means = [
                (mean(e for e, _ in each), mean(a for _, a in each))
                for key, each in told.items()
                if key[:2] == (name, epsilon)
            ]
            best = Reached(min(e for e, _ in means), max(a for _, a in means))
            found[rows.table.name, name, epsilon] = best
    return found


def _jobs(
    rows: Rows, seeds: int, epsilons: Sequence[float]
) -> Iterator[tuple[dict[str, Any], str, float]]:
    for seed in range(seeds):
        job = {"sample": str(seed), "delta": float(DELTA), "kinds": rows.kinds()}
        for name in OPEN:
            yield {**job, "model": name, "epsilon": 0.0, "setting": None}, name, 0.0
        for (name, (model, part, settings)), epsilon in product(ASKED.items(), epsilons):
            for setting in settings:
                made = {**job, "model": model, "epsilon": part * epsilon, "setting": setting}
                yield made, name, epsilon


def _asked(splits: Sequence[Split], jobs: Sequence[dict[str, Any]]) -> list[Any]:
    arrays: dict[str, Any] = {}
    scaled = splits[0].rows.scaled()
    for seed, split in enumerate(splits):
        codes, label = split.rows.codes, split.rows.label
        parts: dict[str, Any] = {
            "codes": codes[split.train],
            "held": codes[split.test],
            "y": label[split.train],
        }
        parts |= {"x": scaled[split.train], "tested": scaled[split.test]}
        arrays |= {f"{seed}/{part}": array for part, array in parts.items()}
    with tempfile.TemporaryDirectory() as folder:
        stored, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "b.npz"))
        np.savez(stored, **arrays)
        todo.write_text(json.dumps(jobs))
        threads = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [environment.python(), PROGRAM, stored, todo, done]
        subprocess.run(command, check=True, env=threads)
        with np.load(done) as answers:
            return [answers[str(place)] for place in range(len(jobs))]


def _own(
    splits: Sequence[Split], epsilons: Sequence[float]
) -> Iterator[tuple[str, float, str, tuple[float, float]]]:
    """Learn with the two peers that are written here: noisy gradients and noisy moments."""
    scaled, delta = splits[0].rows.scaled(), float(DELTA)
    for (seed, split), epsilon in product(enumerate(splits), epsilons):
        x, y, tested = scaled[split.train], split.rows.label[split.train], scaled[split.test]
        made: list[tuple[str, Any]] = [
            (OWN[0], NoisySgd(epsilon, delta, replace=True, setting=each))
            for each in noisy_sgd.SETTINGS
        ]
        made += [(OWN[1], NoisyMoments(epsilon, delta, each)) for each in moments.SETTINGS]
        for name, learner in made:
            weights = learner.fit(x, y, np.random.default_rng([seed, 7]))
            judged = split.judged(tested @ weights[:-1] + weights[-1])
            yield name, epsilon, str(learner.setting), judged
