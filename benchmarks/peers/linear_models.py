"""Errors of diffprivlib's logistic regression: run as a program in the peers' environment.

    python linear_models.py arrays.npz jobs.json errors.json

A job names a sample, an epsilon and a share: rows are scaled to [-1, 1] by public ranges, and
`data_norm` is that share of the largest norm they could have; longer rows are shortened.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from diffprivlib import models  # type: ignore[import-not-found]


def main(arrays: str, jobs: str, errors: str) -> None:
    """Answer all jobs."""
    warnings.simplefilter("ignore")
    loaded, answers = np.load(arrays), []
    for job in json.loads(Path(jobs).read_text()):
        x, y, tested, truth = (
            loaded[f"{job['sample']}/{p}"] for p in ("x", "y", "tested", "truth")
        )
        norm = job["share"] * x.shape[1] ** 0.5
        made = models.LogisticRegression(epsilon=job["epsilon"], data_norm=norm, max_iter=1000)
        predicted = made.fit(x, y.astype(np.int64)).predict(tested)
        answers.append(float(np.mean(predicted.astype(np.bool_) != truth)))
    Path(errors).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
