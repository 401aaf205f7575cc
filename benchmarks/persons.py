"""Persons: how long it takes to count their rows, and what their means are worth.

10^7 visits of 10^6 persons are read from a file, grouped by person and code, and weighed, beside
the same group-by of DuckDB, in processor time. DuckDB does neither read identifiers by their cells
nor clip, and gives no weights.

Excess errors are simulated: persons with 1 + Poisson(3) rows, 20 at most, which is public. Labels
are wrong with probability .3, row by row. By `means` all rows of a person share one weight; by one
row each the others are left out; by group privacy all rows are learned from with a twentieth of
epsilon, which is what protects 20 rows together.

    python -m benchmarks persons [--write docs/benchmarks.md]
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
from numpy.typing import NDArray

from benchmarks import page
from benchmarks.side_by_side import Row, compare
from tacit.concepts import Thresholds
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.data import Bits, Integer, Schema
from tacit.data.persons.reading import person_counts
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import open_source
from tacit.data.schema.rule_class import rules_over
from tacit.learners import ByPerson, DirectSum, GenericLearner, PriorLearner, ShortRuleLearner
from tacit.learners.linear.counted import CountedLearner
from tacit.learners.made_from.by_person import WEIGHT
from tacit.statistics.counts.person_counts import PersonCounts

VISITS, PERSONS = 10**7, 10**6
MOST, NOISE, RUNS = 20, 0.3, 600
BARS = f"""
Excess errors, means of {RUNS} runs; bars: means at most 1/4 of group privacy's and 0.8 of one
row's, and not above one row's by more than two standard errors. Of 200 persons `counted` says one
answer to all, by its public bar for so few, whichever way they are given.
"""
BITS = 6
"""Columns of yes and no that rules of two conditions are about."""
CODING = Coding.of(Schema({"age": Integer(0, 120), "ill": Bits()}), ["age"], ["ill"])


def report(written: Path | None) -> int:
    """Print times and errors, and write them on a page; the exit status says whether bars hold."""
    timed, grid = list(measure()), list(cells())
    lines = [
        page.section(timed),
        BARS,
        "| learner, persons, ε | means | one row each | group privacy | of group | of one row | |",
        "|---|---|---|---|---|---|---|",
        *(cell.line for cell in grid),
    ]
    print(text := "\n".join(lines))
    if written is not None:
        page.put(written, "persons", text)
    return 0 if all(row.holds for row in timed) and all(cell.holds for cell in grid) else 1


def measure() -> Iterator[Row]:
    """Measure how long counting takes."""
    with tempfile.TemporaryDirectory() as folder:
        for stored in ("integers", "texts"):
            path = Path(folder) / f"{stored}.parquet"
            _write(path, stored)
            yield compare(
                f"{VISITS:.0e} visits of {PERSONS:.0e} persons, identifiers {stored}, CPU",
                partial(_weighed, path),
                "DuckDB GROUP BY person, code",
                partial(_grouped, path),
                bar=1.5,
                rounds=3,
                clock=process_time,
            )


def _write(path: Path, stored: str) -> None:
    rng = np.random.default_rng(1)
    who = rng.integers(0, PERSONS, VISITS)
    age = rng.integers(0, 121, VISITS)
    ill = (age >= 60) ^ (rng.random(VISITS) < NOISE)
    persons = pa.array(who) if stored == "integers" else pa.array(np.char.add("p", who.astype(str)))
    table = {"who": persons, "age": age.astype(np.int16), "ill": ill.astype(np.int8)}
    pyarrow.parquet.write_table(pa.table(table), path)


def _weighed(path: Path) -> object:
    return person_counts(open_source(path), CODING, ["who"]).mean(WEIGHT)


def _grouped(path: Path) -> object:
    engine = duckdb.connect()
    engine.execute("SET enable_progress_bar = false")
    query = f"SELECT who, age, ill, count(*) FROM '{path}' GROUP BY who, age, ill"
    return engine.sql(query).to_arrow_table()


class Cell(NamedTuple):
    """A learner on so many persons with a budget, its mean excess errors, and how sure they are."""

    said: str
    means: float
    one: float
    group: float
    noise: float
    """Two standard errors of the difference between means and one row each."""

    @property
    def holds(self) -> bool:
        """Whether all bars are met; where nobody errs, they are."""
        few = self.means <= 0.25 * self.group and self.means <= 0.8 * self.one
        return few and self.means <= self.one + self.noise

    @property
    def line(self) -> str:
        """One line of a table."""
        ratios = (f"{self.means / x:.2g}" if x else "–" for x in (self.group, self.one))
        errors = (f"{x:.4f}" for x in (self.means, self.one, self.group))
        held = "holds" if self.holds else "**missed**"
        return f"| {self.said} | {' | '.join((*errors, *ratios))} | {held} |"


class Task(NamedTuple):
    """What is to be learned: all points, what is true of each, and who learns it."""

    name: str
    points: NDArray[np.int64]
    truth: NDArray[np.bool_]
    learner: Any


def tasks() -> Iterator[Task]:
    """Yield a threshold, two conditions, and points to add up; all linear learners but one."""
    line = np.arange(32)
    yield Task("threshold, generic", line, line >= 12, partial(GenericLearner, Thresholds(5)))
    yield Task("threshold, prior", line, line >= 12, partial(PriorLearner, Thresholds(5)))
    cube = np.array(list(product((0, 1), repeat=BITS)))
    names = [f"x{i}" for i in range(BITS)]
    short = rules_over(Schema({name: Bits() for name in names}), names, "width=2")
    both = (cube[:, 0] & cube[:, 1]).astype(np.bool_)
    yield Task("two conditions, short-rules", cube, both, partial(ShortRuleLearner, short))
    cards = Scorecards("x".join(["2"] * BITS))
    most = cube[:, :3].sum(axis=1) >= 2
    yield Task("points, counted", cube, most, partial(CountedLearner, cards))


def cells() -> Iterator[Cell]:
    """Yield the grid."""
    for task, persons, epsilon in product(tasks(), (200, 1000), ("1/2", "1", "2")):
        found = np.array([_excess(task, persons, Fraction(epsilon), run) for run in range(RUNS)])
        noise = 2 * np.std(found[:, 0] - found[:, 1]) / RUNS**0.5
        said = f"{task.name}, {persons} persons, ε = {float(Fraction(epsilon)):g}"
        means, one, group = found.mean(axis=0).tolist()
        yield Cell(said, means, one, group, float(noise))


def _excess(task: Task, persons: int, epsilon: Fraction, run: int) -> NDArray[np.float64]:
    """Draw persons, and return the excess errors by means, by one row each, by group privacy."""
    rng = np.random.default_rng(run)
    many = np.minimum(1 + rng.poisson(3, persons), MOST)
    places = np.repeat(rng.integers(0, len(task.points), persons), many)
    marks = task.truth[places] ^ (rng.random(len(places)) < NOISE)
    wide = task.points.reshape(len(task.points), -1)[places]
    who = np.repeat(np.arange(persons), many)[:, None]
    rows = np.hstack([wide, marks[:, None]]).astype(np.int64)
    counts = PersonCounts.of(who, rows, features=wide.shape[1])
    alone = PersonCounts.of(np.arange(len(rows))[:, None], rows, features=wide.shape[1])
    made, small = (DirectSum(task.learner(epsilon=e), 1) for e in (epsilon, epsilon / MOST))
    every: Any = alone.mean(1)
    (mean,), (one,), (group,) = (
        ByPerson(made, WEIGHT)(counts, rng=Seeded(run)),
        ByPerson(made, 1)(counts, rng=Seeded(run)),
        small(every, rng=Seeded(run)),
    )
    said = [rule(task.points) != task.truth for rule in (mean, one, group)]
    return np.asarray((1 - 2 * NOISE) * np.mean(said, axis=1))
