"""The rows that k labels need."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

from tacit.concepts import Parities, Points, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.privacy import Privacy
from tacit.learners import (
    BlockParityLearner,
    DirectSum,
    GenericLearner,
    HistogramLearner,
    MultiLearner,
    SharedCoverLearner,
)

GOAL, TOTAL = Accuracy("0.1", "0.05"), Privacy(1, "1e-6")
MANY = (1, 3, 10, 30, 100, 300, 1000)


def _one_by_one(bits: int, labels: int, total: Privacy) -> MultiLearner:
    return DirectSum.within(total, labels, lambda e: GenericLearner(Thresholds(bits), epsilon=e))


LINES = {
    "thresholds over 2^256, one by one, δ = 0": lambda k: _one_by_one(256, k, Privacy(1)),
    "thresholds over 2^256, one by one": lambda k: _one_by_one(256, k, TOTAL),
    "thresholds over 2^256, shared cover": lambda k: SharedCoverLearner.planned(
        Thresholds(256), TOTAL, labels=k, accuracy=GOAL
    ),
    "thresholds over 2^16, one by one": lambda k: _one_by_one(16, k, TOTAL),
    "parities of 32 columns": lambda k: BlockParityLearner(
        Parities(32), labels=k, epsilon=1, delta="1e-6"
    ),
    "points, any domain, proper": lambda k: HistogramLearner(
        Points(256), labels=k, epsilon=1, delta="1e-6", proper=True
    ),
    "points, any domain, or never": lambda k: HistogramLearner(
        Points(256), labels=k, epsilon=1, delta="1e-6"
    ),
}


def draw_labels(folder: Path) -> None:
    """Write labels.svg."""
    figure, axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    for name, make in LINES.items():
        axes.loglog(MANY, [make(k).sample_size(GOAL) for k in MANY], marker="o", label=name)
    axes.set(
        xlabel="labels k",
        ylabel="rows that are enough",
        title="All k errors ≤ 0.1 with probability 0.95; ε = 1, δ = 10⁻⁶",
    )
    axes.grid(visible=True, which="both", alpha=0.2)
    axes.legend(fontsize="small")
    figure.savefig(folder / "labels.svg")
