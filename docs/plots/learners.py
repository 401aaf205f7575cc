"""Error against rows: each learner beside the generic one, on a population made for its class.

Labels are those of a concept of the class; 12 seeded runs for each number of rows; the line is the
median error, the band the middle half. Learners that cannot take so many rows have no line there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.specification import parse
from tacit.concepts.rules.literals import cuts
from tacit.concepts.rules.rules import Column, Rules
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.errors import TacitError
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.learners.contract.learner import MultiLearner
from tacit.statistics import JointCounts

mpl.use("svg")
from matplotlib import pyplot as plt

RUNS = 12
PATIENCE = 12.0
"""Seconds after which a curve is given no more rows."""
EPSILON, DELTA, BETA = Fraction(1), Fraction(1, 10**6), Fraction(1, 20)
PUBLIC = 150
"""Public rows, for the learner that is made from them."""
Draw = Callable[[int, Random], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Showcase:
    """A class, a target, how points are drawn, and the numbers of rows to try."""

    spec: str
    target: dict[str, Any]
    draw: Draw
    rows: tuple[int, ...]


def _uniform(n: int, rng: Random) -> NDArray[np.float64]:
    return rng.words(n).astype(np.float64) * 2.0**-64


def _line(values: int) -> Draw:
    return lambda n, rng: (_uniform(n, rng) * values).astype(np.int64)


def _point(n: int, rng: Random) -> NDArray[np.int64]:
    """Three rows in ten are at 777, the others anywhere."""
    return np.where(_uniform(n, rng) < 0.3, 777, (_uniform(n, rng) * 65536).astype(np.int64))


def _bits(dims: int) -> Draw:
    return lambda n, rng: (_uniform(n * dims, rng) < 0.5).reshape(n, dims).astype(np.int64)


def _grid(values: int, dims: int) -> Draw:
    return lambda n, rng: (_uniform(n * dims, rng) * values).reshape(n, dims).astype(np.int64)


def _on_a_line(p: int, a: int, c: int) -> Draw:
    """Half of the points lie on the line."""

    def draw(n: int, rng: Random) -> NDArray[np.int64]:
        points = _grid(p, 2)(n, rng)
        on = _uniform(n, rng) < 0.5
        points[:, 1] = np.where(on, (a * points[:, 0] + c) % p, points[:, 1])
        return points

    return draw


CUTS = [cuts(column, range(8, 64, 8)) for column in (0, 1)]
SHOWCASES = {
    "thresholds": Showcase(
        "thresholds(bits=16)",
        {"at": 40000, "up": True},
        _line(65536),
        (50, 100, 200, 400, 800, 1600, 3200),
    ),
    "points": Showcase("points(bits=16)", {"at": 777}, _point, (25, 50, 100, 200, 400, 800)),
    "parities": Showcase(
        "parities(dims=8)", {"columns": [0, 3, 5]}, _bits(8), (10, 20, 40, 80, 160, 320)
    ),
    "lines": Showcase(
        "lines(p=101)",
        {"slope": 7, "intercept": 3},
        _on_a_line(101, 7, 3),
        (50, 100, 200, 400, 800, 1600),
    ),
    "boxes": Showcase(
        "boxes(bits=6, dims=2)",
        {"low": [10, 20], "high": [40, 60]},
        _grid(64, 2),
        (100, 200, 400, 800, 1600, 3200),
    ),
    "halfspaces": Showcase(
        "halfspaces(bits=3, dims=2)",
        {"weights": [1, 2], "threshold": 9},
        _grid(8, 2),
        (100, 200, 400, 800, 1600, 3200),
    ),
    "conjunctions": Showcase(
        "conjunctions(dims=8, width=2)",
        {"literals": [[1, 1], [4, 1]]},
        _bits(8),
        (100, 200, 400, 800, 1600, 3200),
    ),
    "scorecards": Showcase(
        "scorecards(values=s64xs64)",
        {
            "weights": [{"cuts": [24], "points": [0, 5]}, {"cuts": [32], "points": [0, 5]}],
            "threshold": 10,
        },
        _grid(64, 2),
        (100, 200, 400, 800, 1600, 3200),
    ),
    "rules": Showcase(
        str(Rules([Column("x", 0, 63), Column("y", 0, 63)], [*CUTS[0], *CUTS[1]], 2)),
        {"literals": [[0, ">=", 24], [1, "<", 48]]},
        _grid(64, 2),
        (100, 200, 400, 800, 1600, 3200),
    ),
}

SHARED = {
    "proper_histogram": "histogram",
    "pure_histogram": "histogram",
    "proper_pure_histogram": "histogram",
    "box_ascent": "per_side_box",
    "voting_line": "line",
    "boosted": "confidence_booster",
    "sanitized_classes": "shared_cover",
    "hashed_tally": "tally_point",
    "pure_block_parity": "block_parity",
}
"""Learners that share the page of another."""
OWN = {
    "local": Showcase(
        "thresholds(bits=10)",
        {"at": 600, "up": True},
        _line(1024),
        (1000, 2000, 4000, 8000, 16000, 32000, 64000),
    ),
    "sanitized-classes": SHOWCASES["conjunctions"],
    "label-histogram": Showcase(
        "boxes(bits=2, dims=2)",
        {"low": [1, 1], "high": [2, 3]},
        _grid(4, 2),
        (100, 200, 400, 800, 1600, 3200),
    ),
}
"""Learners that need many more rows than others, or much smaller classes."""


def shown_on(name: str) -> Showcase:
    """Return what a learner is shown on."""
    families = CATALOGUE[name].families
    family = next((f for f in families if f in SHOWCASES), "thresholds")
    return OWN.get(name, SHOWCASES[family])


def draw_all(folder: Path) -> list[Path]:
    """Draw one picture a learner and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[tuple[str, tuple[int, ...]], dict[int, list[float]]] = {}
    made = []
    for name in CATALOGUE:
        shown = shown_on(name)
        key = shown.spec, shown.rows
        if key not in known:
            known[key] = _curve("generic", shown)
        curve = known[key] if name == "generic" else _curve(name, shown)
        path = folder / f"{name.replace('-', '_')}.svg"
        _picture(path, name, shown.spec, curve, known[key])
        made.append(path)
    return made


def learner_for(name: str, showcase: Showcase, n: int) -> MultiLearner[Any] | None:
    """Return the learner of so many rows, if it can take them."""
    concepts = parse(showcase.spec)
    privacy, labels_only = Privacy(EPSILON, DELTA), CATALOGUE[name].labels_only
    request = Request(concepts, privacy, n, None, BETA, agnostic=False, labels_only=labels_only)
    if CATALOGUE[name].public:
        request = replace(request, public=tuple(showcase.draw(PUBLIC, Seeded(2)).tolist()))
    try:
        learner = CATALOGUE[name](request)
    except TacitError:
        return None
    most = learner.largest_sample
    return learner if most is None or n <= most else None


def _curve(name: str, showcase: Showcase) -> dict[int, list[float]]:
    """Return the errors of seeded runs for each number of rows that the learner can take."""
    concepts = parse(showcase.spec)
    target = concepts.decode(showcase.target)
    test = showcase.draw(4000, Seeded(1))
    truth = target(test)
    found = dict[int, list[float]]()
    start = time.monotonic()
    for n in showcase.rows:
        if time.monotonic() - start > PATIENCE:
            break
        learner = learner_for(name, showcase, n)
        if learner is None:
            continue
        rng = Seeded(n)
        found[n] = []
        for _ in range(RUNS):
            points = showcase.draw(n, rng)
            ones = np.ones(n, dtype=np.int64)
            sample = JointCounts(n, 1, points, target(points)[:, None], ones)
            (hypothesis,) = learner(_merged(sample), rng=rng)
            found[n].append(float((hypothesis(test) != truth).mean()))
    return found


def _merged(sample: JointCounts) -> JointCounts:
    """Count equal rows once."""
    rows = np.column_stack((sample.points.reshape(sample.n, -1), sample.marks))
    different, totals = np.unique(rows, axis=0, return_counts=True)
    points = different[:, :-1]
    return JointCounts(
        sample.n,
        1,
        points if sample.points.ndim > 1 else points[:, 0],
        different[:, -1:].astype(np.bool_),
        totals.astype(np.int64),
    )


def _picture(
    path: Path,
    name: str,
    spec: str,
    curve: dict[int, list[float]],
    generic: dict[int, list[float]],
) -> None:
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    both = {"generic": generic} if name == "generic" else {name: curve, "generic": generic}
    for title, errors in both.items():
        if errors:
            rows = list(errors)
            low, middle, high = np.quantile([errors[n] for n in rows], [0.25, 0.5, 0.75], axis=1)
            axes.plot(rows, middle, marker="o", label=title)
            axes.fill_between(rows, low, high, alpha=0.2)
    axes.set(xscale="log", xlabel="rows", ylabel="error", title=f"{spec}, ε = 1", ylim=(0, None))
    ticks = sorted({*curve, *generic})
    axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axes.minorticks_off()
    axes.legend()
    figure.savefig(path)
    plt.close(figure)
