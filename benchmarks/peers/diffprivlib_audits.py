"""What diffprivlib puts out when it is audited: run as a program in the peers' environment.

    python diffprivlib_audits.py asked.npz jobs.json answered.npz

A job either trains a model on arrays of the file and answers how likely it finds label 1 at other
points, or draws Laplace noise around a number.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from diffprivlib import mechanisms, models  # type: ignore[import-not-found]
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier


def _model(name: str, epsilon: str | None) -> Any:
    if name == "logistic":
        if epsilon is None:
            return LogisticRegression()
        return models.LogisticRegression(epsilon=float(epsilon), data_norm=1.0)
    if epsilon is None:
        return DecisionTreeClassifier()
    bounds = (-1.0, 1.0)
    return models.DecisionTreeClassifier(epsilon=float(epsilon), bounds=bounds, classes=[0, 1])


def _likely(job: dict[str, Any], asked: Any) -> Any:
    points, labels, tested = (asked[f"{job['name']}/{part}"] for part in ("x", "y", "tested"))
    model = _model(job["model"], job["epsilon"]).fit(points, labels)
    return model.predict_proba(tested)[:, list(model.classes_).index(1)]


def _laplace(job: dict[str, Any]) -> Any:
    noise = mechanisms.Laplace(epsilon=1.0, sensitivity=1.0)
    return np.array([noise.randomise(job["value"]) for _ in range(job["draws"])])


def main(asked: str, jobs: str, answered: str) -> None:
    """Answer all jobs."""
    warnings.simplefilter("ignore")
    arrays = np.load(asked)
    done = {
        job["name"]: _laplace(job) if "value" in job else _likely(job, arrays)
        for job in json.loads(Path(jobs).read_text())
    }
    np.savez(answered, **done)


if __name__ == "__main__":
    main(*sys.argv[1:])
