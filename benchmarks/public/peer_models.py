"""Test errors and areas of other libraries' models: run as a program in the peers' environment.

    python peer_models.py arrays.npz jobs.json answers.json

A job names a sample, a model, an epsilon and a setting. Of a sample there are codes (a code beyond
a column's values is a missing cell), the same scaled to [-1, 1] by public ranges, and labels.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from diffprivlib.models import GaussianNB  # type: ignore[import-not-found]
from diffprivlib.models import LogisticRegression as PrivateRegression
from interpret.privacy import (  # type: ignore[import-not-found]
    DPExplainableBoostingClassifier,
)
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

Array = np.ndarray[Any, Any]
Fit = Callable[..., Any]


def _boosting(job: dict[str, Any], sample: dict[str, Array]) -> Any:
    """DP-EBM with declared types and bounds; it takes no gaps: missing numbers are the largest."""
    kinds, bounds = [], {}
    for place, (category, inside, misses) in enumerate(job["kinds"]):
        kinds.append("nominal" if category else "continuous")
        if not category:
            bounds[place] = (0.0, float(max(inside - 1 + misses, 1)))
    bins, rate, rounds = job["setting"]
    made = DPExplainableBoostingClassifier(
        epsilon=job["epsilon"],
        delta=job["delta"],
        feature_types=kinds,
        privacy_bounds=bounds,
        max_bins=bins,
        learning_rate=rate,
        max_rounds=rounds,
        n_jobs=1,
    )
    fitted = made.fit(_cells(sample["codes"], job["kinds"]), sample["y"].astype(int))
    return fitted.predict_proba(_cells(sample["held"], job["kinds"]))[:, 1] - 0.5


def _cells(codes: Array, kinds: list[Any]) -> Array:
    made = codes.astype(object)
    for place, (category, _, _) in enumerate(kinds):
        made[:, place] = codes[:, place].astype(str if category else float)
    return made


def _regression(job: dict[str, Any], sample: dict[str, Array]) -> Any:
    norm = job["setting"] * sample["x"].shape[1] ** 0.5
    made = PrivateRegression(epsilon=job["epsilon"], data_norm=norm, max_iter=1000)
    return made.fit(sample["x"], sample["y"].astype(int)).decision_function(sample["tested"])


def _bayes(job: dict[str, Any], sample: dict[str, Array]) -> Any:
    made = GaussianNB(epsilon=job["epsilon"], bounds=(-1.0, 1.0))
    made = made.fit(sample["x"], sample["y"].astype(int))
    if len(made.classes_) < 2:
        return np.full(len(sample["tested"]), -1.0)
    return made.predict_log_proba(sample["tested"]) @ np.array([-1.0, 1.0])


def _open_regression(_: dict[str, Any], sample: dict[str, Array]) -> Any:
    made = LogisticRegression(max_iter=2000).fit(sample["x"], sample["y"])
    return made.decision_function(sample["tested"])


def _open_boosting(_: dict[str, Any], sample: dict[str, Array]) -> Any:
    made = HistGradientBoostingClassifier().fit(sample["codes"], sample["y"])
    return made.decision_function(sample["held"])


MODELS: dict[str, Fit] = {
    "DP-EBM": _boosting,
    "diffprivlib LR": _regression,
    "diffprivlib NB": _bayes,
    "LR": _open_regression,
    "GBM": _open_boosting,
}


def main(arrays: str, jobs: str, answers: str) -> None:
    """Answer all jobs with scores on the rows to test on: yes from 0 on."""
    warnings.simplefilter("ignore")
    loaded = np.load(arrays)
    found: dict[str, Any] = {}
    held: tuple[str, dict[str, Array]] = ("", {})
    parts = ("codes", "held", "x", "tested", "y")
    for place, job in enumerate(json.loads(Path(jobs).read_text())):
        if held[0] != job["sample"]:
            held = job["sample"], {part: loaded[f"{job['sample']}/{part}"] for part in parts}
        scores = MODELS[job["model"]](job, held[1])
        found[str(place)] = np.nan_to_num(np.asarray(scores, dtype=np.float64))
    np.savez(answers, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
