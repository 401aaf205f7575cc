"""Several houses beside one table: scorecards, survival curves, and messages that were changed.

    python -m benchmarks sites

Five houses of 2,000 rows each send one message, epsilon = 1; beside them `counted` learns from all
10,000 rows in one table, at the same epsilon. Then with noise that is split, with a delta, and two
rounds, of which the first, for 3/20 of epsilon, says where steps begin; and a descent in eleven
rounds beside `margin` on one table, both with a delta. The same for three public tables. Five
houses of 200 rows each draw survival curves, whose greatest error is that at any day to Kaplan and
Meier's of all rows.
"""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import mean, quantiles, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.support.messages import Houses, tampered

from benchmarks.public.declared import OUTCOME, TUNED
from benchmarks.public.rows import Rows, area, read
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Schema
from tacit.data.reading.reduction import read_points
from tacit.learners.contract.model import Model
from tacit.workflows import learn
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import ask_after, join_messages
from tacit.workflows.sites.question import SiteQuestion

SITES, ROWS, RUNS, DELTA = 5, 2000, 10, "1e-6"
PUBLIC = ("alcohol abuse", "deadly crash", "mortgage denied")
"""Tables from `benchmarks.public` that are dealt to the houses."""
FEW, CURVES, DAYS = 200, 20, 365
WITHIN = {"area": 0.02, "error": 0.01, "curve": 0.05}
CHANGED = 1000
PATIENTS = Schema(
    {
        "age": Integer(18, 100),
        "bmi": Integer(10, 60),
        "pressure": Integer(60, 220),
        "pulse": Integer(30, 180),
        "ward": Category(["a", "b", "c", "d"]),
        "smoker": Bits(),
        "diabetes": Bits(),
        "ill": Bits(),
    }
)
FOLLOWED = Schema({"days": Integer(0, DAYS - 1), "died": Bits()})
POPULATIONS = {
    "constant hazard": (1.0, 200.0, 800.0),
    "high hazard": (1.0, 100.0, 400.0),
    "falling hazard": (0.7, 300.0, 365.0),
    "rising hazard": (1.5, 150.0, 600.0),
    "steep": (3.0, 200.0, 500.0),
    "rare event": (1.0, 1000.0, 2000.0),
}
"""Shape and scale of Weibull's law in days, and until when half of the rows may leave."""
Table = dict[str, NDArray[Any]]


def report() -> int:
    """Print all; the exit status says whether the bars hold."""
    held = [_cards(), _curves(), _changed()]
    return 0 if all(held) else 1


def _cards() -> bool:
    """Print what cards reach, on drawn populations and on public tables dealt to the houses."""
    held = [_reached("drawn", PATIENTS, "ill", lambda run: _drawn(np.random.default_rng(run)))]
    chosen = [table for table in TUNED if table.name in PUBLIC]
    for rows in read(chosen):
        split = partial(_dealt, rows)
        held.append(_reached(rows.table.name, rows.table.schema, OUTCOME, split))
    return held[0] and any(held[1:])


def _reached(name: str, schema: Schema, label: str, deal: Any) -> bool:
    """Print errors and areas in one setting; return whether one round is near one table."""
    found: dict[str, list[tuple[float, float]]] = {}
    for run in range(RUNS):
        tables, test = deal(run)
        pooled = {c: [cell for each in tables for cell in each[c]] for c in tables[0]}
        features = [column for column in schema.names if column != label]
        asked: Any = {"labels": [label], "features": features}
        whole: Any = {"concepts": "scorecards", "learner": "counted", "epsilon": 1}
        first = _joined("steps", tables, schema, features=features, epsilon="0.15")
        second: Any = asked | {"epsilon": "0.85", "steps": first["steps"]}
        models = {
            "one table": learn(pooled, schema, **asked, **whole),
            "one round": _joined("scorecard", tables, schema, **asked),
            "one round, noise split between 4": _joined(
                "scorecard", tables, schema, **asked, honest=4
            ),
            "one round, delta": _joined("scorecard", tables, schema, **asked, delta=DELTA),
            "two rounds": _joined("scorecard", tables, schema, **second),
            "a descent": _joined("descent", tables, schema, **asked, delta=DELTA),
            "one table, margin": learn(
                pooled, schema, **asked, **whole | {"learner": "margin", "delta": DELTA}
            ),
        }
        for what, model in models.items():
            found.setdefault(what, []).append(_judged(model, test, schema, label))
    means = {what: tuple(map(mean, zip(*each, strict=True))) for what, each in found.items()}
    for what, (error, ranked) in means.items():
        off = stdev(area for _, area in found[what]) / RUNS**0.5
        print(f"{name}, {what}: error {error:.4f}, area {ranked:.4f} (+- {off:.4f}), {RUNS} runs")
    near = _near(means["one table"], means["one round"])
    return near and _near(means["one table, margin"], means["a descent"])


def _near(pooled: tuple[float, ...], joined: tuple[float, ...]) -> bool:
    (least, most), (error, ranked) = pooled, joined
    return bool(error - least <= WITHIN["error"] and most - ranked <= WITHIN["area"])


def _drawn(dice: np.random.Generator) -> tuple[list[Table], Table]:
    return [_patients(ROWS, dice) for _ in range(SITES)], _patients(20_000, dice)


def _dealt(rows: Rows, run: int) -> tuple[list[Table], Table]:
    """Deal two thirds of a public table to the houses, and keep a third for the test."""
    split, schema = rows.split(run), rows.table.schema

    def table(places: NDArray[np.int64]) -> Table:
        columns = zip(rows.table.features, rows.codes[places].T, strict=True)
        read: Any = {c: list(map(schema[c].decode, codes.tolist())) for c, codes in columns}
        return {**read, OUTCOME: rows.label[places].astype(np.int64)}

    return [table(part) for part in np.array_split(split.train, SITES)], table(split.test)


def _curves() -> bool:
    held = True
    for name, law in POPULATIONS.items():
        off = [_off(law, np.random.default_rng(run)) for run in range(CURVES)]
        worst = quantiles(off, n=20)[-1]
        print(f"survival, {name}: greatest error {mean(off):.3f} in the mean, {worst:.3f} in 95 %")
        held = held and mean(off) <= WITHIN["curve"]
    return held


def _changed() -> bool:
    """Join sets of messages of which one was changed, and count those that go through."""
    taken = 0
    for honest in (None, 2):
        sets = tampered(Houses.of(3), Random(7), honest)
        for _, (what, texts) in zip(range(CHANGED // 2), sets, strict=False):
            try:
                join_messages(texts)
            except InvalidArgument:
                continue
            taken += 1
            print("taken:", what)
    print(f"{CHANGED} changed sets of messages: {taken} taken")
    return taken == 0


def _joined(kind: str, tables: list[Table], schema: Schema, **asked: Any) -> Any:
    """Ask as many houses as there are tables, by secret coins, and join what they say."""
    houses = Houses.of(len(tables))
    made = _made(houses, houses.ask(kind, schema, **asked), tables, schema)
    while kind == "descent" and not isinstance(made, Model):
        made = _made(houses, ask_after(made), tables, schema)
    return made


def _made(houses: Houses, question: SiteQuestion, tables: list[Table], schema: Schema) -> Any:
    masks: Any = houses.masks(question) if question.honest else [None] * len(tables)
    texts = [
        answer(table, schema, question=question, site=site, masks=mask).signed(key).dumps()
        for table, site, key, mask in zip(tables, houses.sites, houses.keys, masks, strict=True)
    ]
    return join_messages(texts)[1]


def _judged(model: Model, test: Table, schema: Schema, label: str) -> tuple[float, float]:
    scores = model.scores(read_points(test, schema, model.features))[:, 0]
    truth = np.asarray(test[label]) == 1
    return float(np.mean((scores >= 0) != truth)), area(scores, truth)


def _patients(n: int, dice: np.random.Generator) -> Table:
    age, bmi = dice.normal(58, 17, n), dice.normal(27, 5, n)
    pressure = dice.normal(125 + 0.3 * (age - 58), 17, n)
    smoker, ward = dice.random(n) < 0.25, dice.integers(0, 4, n)
    diabetes = dice.random(n) < np.where(bmi > 30, 0.25, 0.06)
    score = 0.05 * (age - 58) + 0.06 * (bmi - 27) + 0.012 * (pressure - 125) + 0.7 * smoker
    score += 0.8 * diabetes + np.array([0, 0.3, -0.4, 0.6])[ward] - 0.9
    ill = dice.random(n) < 1 / (1 + np.exp(-score))
    numbers = {"age": age, "bmi": bmi, "pressure": pressure, "pulse": dice.normal(75, 12, n)}
    told: Table = {name: np.rint(each).astype(np.int64) for name, each in numbers.items()}
    marks = {"smoker": smoker, "diabetes": diabetes, "ill": ill}
    told |= {"ward": np.array(list("abcd"))[ward]}
    return told | {name: each.astype(np.int64) for name, each in marks.items()}


def _off(law: tuple[float, float, float], dice: np.random.Generator) -> float:
    """Return how far a curve from messages is from that of all rows, at the worst day."""
    (shape, scale, leave), n = law, SITES * FEW
    last = dice.weibull(shape, n) * scale
    seen = np.minimum(np.where(dice.random(n) < 0.5, dice.random(n) * leave, DAYS), DAYS)
    days = np.minimum(np.minimum(last, seen), DAYS - 1).astype(np.int64)
    died = ((last <= seen) & (last < DAYS)).astype(np.int64)
    parts = zip(np.split(days, SITES), np.split(died, SITES), strict=True)
    tables: list[Table] = [{"days": some, "died": of} for some, of in parts]
    curve = _joined("survival", tables, FOLLOWED, time="days", event="died")
    ends = [0, *(int(part.rpartition(" to ")[2]) + 1 for part in curve.parts)]
    drawn = np.interp(np.arange(DAYS) + 1, ends, [1.0, *curve.survival])
    reached = np.array([np.sum(days >= day) for day in range(DAYS)])
    ended = np.array([np.sum((days == day) & (died == 1)) for day in range(DAYS)])
    return float(abs(drawn - np.cumprod(1 - ended / np.maximum(reached, 1))).max())
