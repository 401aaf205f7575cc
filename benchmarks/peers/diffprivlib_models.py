"""Errors of diffprivlib's models: run as a program in the peers' environment.

    python diffprivlib_models.py arrays.npz jobs.json errors.json

A job names a sample of the file of arrays, an epsilon and a model; its answer is the model's error
on the sample's test points. Every model is given the public bounds and classes: of the full domain
of a line, here scaled to [-1, 1], or of the columns of a table, all in [0, 1], whose rows are no
longer than the job's `norm`. All other settings are the defaults. The quantile trick is what a
careful user could build from the tools: half of epsilon for the number of negative rows, half for
the quantile that it says.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from diffprivlib import models, tools  # type: ignore[import-not-found]

LARGEST = 2**32 - 1
PARTS = ("x", "y", "tested", "truth")
Array = np.ndarray[Any, Any]
Bounds = tuple[float, float]


def _logistic(epsilon: float, _: Bounds, norm: float) -> Any:
    return models.LogisticRegression(epsilon=epsilon, data_norm=norm)


def _tree(epsilon: float, bounds: Bounds, _: float) -> Any:
    return models.DecisionTreeClassifier(epsilon=epsilon, bounds=bounds, classes=[0, 1])


def _forest(epsilon: float, bounds: Bounds, _: float) -> Any:
    return models.RandomForestClassifier(epsilon=epsilon, bounds=bounds, classes=[0, 1])


def _bayes(epsilon: float, bounds: Bounds, _: float) -> Any:
    return models.GaussianNB(epsilon=epsilon, bounds=bounds)


def _fitted(make: Callable[[float, Bounds, float], Any]) -> Callable[..., Array]:
    def predict(x: Array, y: Array, tested: Array, epsilon: float, norm: float) -> Array:
        bounds = (-1.0, 1.0) if x.ndim == 1 else (0.0, 1.0)
        model = make(epsilon, bounds, norm).fit(_scaled(x), y.astype(np.int64))
        return np.asarray(model.predict(_scaled(tested)), dtype=np.bool_)

    return predict


def _scaled(x: Array) -> Array:
    return (2 * x.astype(np.float64) / LARGEST - 1)[:, None] if x.ndim == 1 else x


def _quantile_trick(x: Array, y: Array, tested: Array, epsilon: float, _: float) -> Array:
    negatives = tools.count_nonzero(~y, epsilon=epsilon / 2)
    share = min(max(negatives / len(x), 0.0), 1.0)
    at = tools.quantile(x.astype(np.float64), share, epsilon=epsilon / 2, bounds=(0, LARGEST))
    return np.asarray(tested >= at)


MODELS: dict[str, Callable[..., Array]] = {
    "LogisticRegression": _fitted(_logistic),
    "DecisionTree": _fitted(_tree),
    "RandomForest": _fitted(_forest),
    "GaussianNB": _fitted(_bayes),
    "quantile trick": _quantile_trick,
}


def main(arrays: str, jobs: str, errors: str) -> None:
    """Answer all jobs."""
    warnings.simplefilter("ignore")
    loaded = np.load(arrays)
    samples: dict[str, tuple[Array, ...]] = {}
    answers = []
    for job in json.loads(Path(jobs).read_text()):
        name = job["sample"]
        if name not in samples:
            samples = {name: tuple(loaded[f"{name}/{part}"] for part in PARTS)}
        x, y, tested, truth = samples[name]
        predicted = MODELS[job["model"]](x, y, tested, float(job["epsilon"]), job["norm"])
        answers.append(float(np.mean(predicted != truth)))
    Path(errors).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
