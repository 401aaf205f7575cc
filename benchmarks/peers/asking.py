"""How the peers' program is asked: arrays and jobs in files, errors back."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import environment

PROGRAM = Path(__file__).with_name("diffprivlib_models.py")
MODELS = ("LogisticRegression", "DecisionTree", "RandomForest", "GaussianNB", "quantile trick")


@dataclass(frozen=True, slots=True)
class Job:
    """Train a model on a sample; no row of it is longer than `norm`."""

    sample: str
    epsilon: str
    model: str
    norm: float = 1.0


def errors(arrays: Mapping[str, Any], jobs: Sequence[Job]) -> list[float]:
    """Return the error of each job; an array's name is that of its sample, then x, y, ..."""
    with tempfile.TemporaryDirectory() as folder:
        stored, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "errors.json"))
        np.savez(stored, **arrays)
        todo.write_text(json.dumps([asdict(job) for job in jobs]))
        subprocess.run([environment.python(), PROGRAM, stored, todo, done], check=True)
        answered: list[float] = json.loads(done.read_text())
        return answered
