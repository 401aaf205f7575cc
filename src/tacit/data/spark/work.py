"""Work for Spark's workers that needs no coins: blocks that vote, and rules that are scored."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.concepts.rules.bitmaps import weighted_supports
from tacit.concepts.rules.rules import Rules
from tacit.core.errors import InvalidArgument
from tacit.data.reading.coding import Coding
from tacit.data.spark.mapping import Decode, mapped, running
from tacit.statistics.counts.label_gains import LabelGains

_TOGETHER = 1 << 16


def spread_by(
    session: Any, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]
) -> list[Any]:
    """Call a function for each tuple of arguments on the workers, and return the results in order.

    The function must be deterministic: Spark may call it more than once for the same arguments.
    """
    if not tasks:
        return []
    written = [pickle.dumps(task) for task in tasks]
    table = pa.table({"place": pa.array(range(len(tasks)), pa.int64()), "task": written})
    with running("the blocks"):
        frame = session.createDataFrame(table)
        done = mapped(frame, partial(_called, function), "place long, answer binary").toArrow()
    return answers(done, range(len(tasks)))


def answers(table: Any, places: Sequence[int]) -> list[Any]:
    """Read one answer for each place, in their order, and refuse what is lost or came twice."""
    found = table.column("place").to_numpy()
    if not np.array_equal(np.sort(found), places):
        raise InvalidArgument("Spark lost or repeated some of the blocks; run it again")
    told = table.column("answer").to_pylist()
    return [pickle.loads(told[i]) for i in np.argsort(found)]  # noqa: S301


def score_rules(
    frame: Any, decode: Decode | None, rules: Rules, coding: Coding, *, grouped: bool = False
) -> LabelGains:
    """Score all rules on all labels: popcounts where the rows are, added up, and only sums leave.

    Rows may be `grouped`: a line for those that are equal, with their number.

    Guarantee:
        As `reduce`: replacing one row moves each rule's agreements with each label by at most 1.
    """
    sums = [f"n{j}" for j in range(coding.labels + 1)]
    task = partial(_supports, decode, rules, coding, grouped)
    with running("the table"):
        held = mapped(frame, task, ", ".join(f"{name} long" for name in ("place", *sums)))
        table = held.groupBy("place").sum(*sums).toDF("place", *sums).toArrow()
    return rule_gains(table, rules, coding.labels)


def rule_gains(table: Any, rules: Rules, labels: int) -> LabelGains:
    """Read the rows and positives of each rule's rows, and of all of them in the last place."""
    counts = np.zeros((rules.selections.size + 1, labels + 1), dtype=np.int64)
    places = table.column("place").to_numpy()
    for j in range(labels + 1):
        counts[places, j] = table.column(f"n{j}").to_numpy()
    total, *ones = counts[-1].tolist()
    gains = 2 * counts[:-1, 1:].T - counts[:-1, 0]
    return LabelGains(total, labels, gains, np.array([total - one for one in ones]))


def _called(function: Callable[..., Any], batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        tasks = (pickle.loads(task) for task in batch.column(1).to_pylist())  # noqa: S301
        answers = [pickle.dumps(function(*task)) for task in tasks]
        yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(answers, pa.binary())], _NAMES)


def _supports(
    decode: Decode | None,
    rules: Rules,
    coding: Coding,
    grouped: bool,  # noqa: FBT001
    batches: Iterator[Any],
) -> Iterator[Any]:
    if grouped:
        yield from added_up(rules, coding.labels, coding.groups_of(batches))
        return
    rows = batches if decode is None else decode(coding.names, batches)
    codes, sums = coding.count(batch.columns for batch in rows)
    parts = (slice(start, start + _TOGETHER) for start in range(0, len(sums), _TOGETHER))
    yield from added_up(rules, coding.labels, ((codes[part], sums[part]) for part in parts))


def added_up(rules: Rules, labels: int, pieces: Iterator[tuple[Any, Any]]) -> Iterator[Any]:
    """Yield one worker's counts of rows and positives: of each rule's rows, and last of all.

    The pieces are points, and for each how many rows there are, and how many with each label.
    """
    total = np.zeros((rules.selections.size + 1, labels + 1), dtype=np.int64)
    for points, sums in pieces:
        truths = rules.truths(rules.clip(points))
        total[:-1] += weighted_supports(rules.selections, truths, sums)
        total[-1] += sums.sum(axis=0)
    places, names = np.flatnonzero(total[:, 0]), ["place", *(f"n{j}" for j in range(labels + 1))]
    for start in range(0, len(places), _TOGETHER):
        some = places[start : start + _TOGETHER]
        columns = [pa.array(some), *(pa.array(column) for column in total[some].T)]
        yield pa.RecordBatch.from_arrays(columns, names=names)


_NAMES = ["place", "answer"]
