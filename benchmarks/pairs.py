"""Random pairs of neighbouring tables over all formats, writers and engines.

`python -m benchmarks pairs --pairs 10000`: as many pairs that differ in one row, and as many that
differ in all rows of one person, see `benchmarks.person_pairs`. In no pair of the first kind may
the code of another row change, nor for a file the exit status of a verb or what it prints, but for
what it releases. CSV files are cut into chunks of some bytes, so that chunks end anywhere.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from tests.support.table_pairs import Pair, draw_pair, violation

from benchmarks import person_pairs
from tacit.core.chance.randomness import Random, Seeded
from tacit.data.reading import csv_lines
from tacit.interfaces.cli.command import perform
from tacit.verify.tables import WRITERS
from tacit.verify.tables.cells import LABEL
from tacit.workflows import learn

FEW, MANY, OFTEN = 60, 3000, 25
"""Rows of a pair at most, and of one pair in so many."""
DRAWN = (
    "value",
    "error_promised",
    "hypotheses",
    "rules",
    "expressions",
    "sql",
    "digest",
    "measured",
    "accuracy",
)
"""What a verb's JSON says of what was drawn."""


class Said(NamedTuple):
    """How a command ended, and what it wrote."""

    status: object
    out: str
    err: str


def violations(pairs: int, *, start: int = 0) -> Iterator[tuple[str, str | None]]:
    """Yield each pair's writer, and what changed that may not, if anything did."""
    for number in range(start, start + pairs):
        rng, writer = Seeded(number), WRITERS[number % len(WRITERS)]
        rows = 2 + rng.below(FEW if number % OFTEN else MANY)
        chunk = 1 << 5 + rng.below(8)
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(csv_lines, "CHUNK", chunk),
        ):
            pair = draw_pair(writer, Path(folder), rows=rows, rng=rng)
            found = violation(pair)
            if found is None and isinstance(pair.first, Path):
                found = _printed(pair, Path(folder), rng)
            yield writer.name, found and f"pair {number}: {found}"


def _printed(pair: Pair, folder: Path, rng: Random) -> str | None:
    """Run one verb on both files, and say what else than the release differs."""
    schema = folder / "schema.toml"
    schema.write_text(pair.schema.dump(), encoding="utf-8")
    words = _command(pair, folder, rng)
    if words[0] == "schema" and pair.writer == "parquet-pandas":
        return None  # pandas chooses types by the cells, and a template tells types to the owner
    said = [_run(words, Path(source)) for source in (pair.first, pair.second)]
    return None if said[0] == said[1] else f"{words[0]}: {said[0]} | {said[1]}"


def _command(pair: Pair, folder: Path, rng: Random) -> list[str]:
    features = [name for name in pair.schema.names if name != LABEL]
    asked = ["--schema", str(folder / "schema.toml"), "--epsilon", "1", "--seed", "1", "--json"]
    out = str(folder / "out")
    match rng.below(5):
        case 0:
            return ["quantile", "FILE", "--column", features[0], *asked]
        case 1:
            columns = ["--columns", features[0], "--out", f"{out}.csv"]
            return ["sanitize", "FILE", *columns, *asked]
        case 2:
            return ["schema", "template", "FILE"]
        case 3:
            model = folder / "model.json"
            anybody = {name: [0, 1] for name in pair.schema.names}
            public: Any = {"features": features, "labels": [LABEL], "epsilon": 1, "rng": Seeded(1)}
            learned = learn(anybody, pair.schema, concepts="rules(width=1)", **public)
            model.write_text(learned.dumps(), encoding="utf-8")
            return ["predict", str(model), "FILE", "--out", f"{out}.csv", "--json"]
    chosen = ["--class", "rules(width=1)", "--features", ",".join(features), "--labels", LABEL]
    return ["learn", "FILE", *chosen, "--out", f"{out}.json", *asked]


def _run(words: list[str], source: Path) -> Said:
    """Run a command in this process; paths are hidden, and what was drawn."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["tacit", *(str(source) if word == "FILE" else word for word in words)]
    with mock.patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err):
        try:
            perform()
            status: object = None
        except SystemExit as ended:
            status = ended.code
    hidden = [text.getvalue().replace(str(source), "FILE") for text in (out, err)]
    return Said(status, _undrawn(hidden[0]), hidden[1])


def _undrawn(text: str) -> str:
    try:
        told: Any = json.loads(text)
    except ValueError:
        return text
    return json.dumps({key: value for key, value in told.items() if key not in DRAWN})


def report(pairs: int) -> int:
    """Print how many pairs of each kind were compared, and every violation."""
    bad = 0
    for kind, compared in (("rows", violations), ("persons", person_pairs.violations)):
        started, seen, found = time.perf_counter(), Counter[str](), 0
        for name, told in compared(pairs):
            seen[name] += 1
            if told is not None:
                found += 1
                print(f"{name}: {told}")
        print(", ".join(f"{name} {count}" for name, count in seen.items()))
        print(f"{kind}: {found} violations in {pairs} pairs, {time.perf_counter() - started:.0f} s")
        bad += found
    return 1 if bad else 0
