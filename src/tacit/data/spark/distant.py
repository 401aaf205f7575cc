"""Rows on Spark's workers: dealt, scored and put to the vote there; sums and votes come here.

Each reading of the table deals the same rows into the same blocks: docs/proofs/dealing.md.
"""

from __future__ import annotations

import pickle
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import Any, Self, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.randomness import Random
from tacit.data.reading.coding import Coding, words
from tacit.data.spark.mapping import mapped, running
from tacit.data.spark.work import added_up, answers, rule_gains
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.counts.score_counts import ScoreCounts

T = TypeVar("T")
Ints = NDArray[np.int64]
Piece = tuple[Ints, Ints]
"""Different records, a line each, and how many rows hold them."""


DEALT = 1 << 22
"""Rows that a task deals, about: less work than this costs less than a task does."""


class OnDisks:
    """A frame that the workers keep on their disks while anybody here has it."""

    def __init__(self, frame: Any, *made_of: OnDisks) -> None:
        self.frame = frame.persist(import_module("pyspark").StorageLevel.DISK_ONLY)
        self.made_of = made_of
        weakref.finalize(self, _forget, self.frame)


def _forget(frame: Any) -> None:
    with suppress(Exception):  # the session may have ended before
        frame.unpersist()


@dataclass(frozen=True, slots=True, repr=False)
class SparkRows(DistantRows):
    """Rows that are counted jointly by a coding: each record once, or each once in each block.

    They are block `block` of what is `kept`, or all of it.
    """

    title: str = field(repr=False)
    coding: Coding = field(repr=False)
    kept: OnDisks = field(repr=False, compare=False)
    block: int | None = field(default=None, repr=False)

    @classmethod
    def of(cls, title: str, coding: Coding, counted: Any) -> Self:
        """Keep counts by record, which tell how many rows there are, in as many parts as they take.

        Records are spread over the parts by what they hold, so a part that is lost comes again.
        """
        kept = OnDisks(counted)
        with running(title):
            n = kept.frame.groupBy().sum("n0").toArrow().column(0)[0].as_py() or 0
        if (parts := n // DEALT) > 1:
            kept = OnDisks(kept.frame.repartition(parts, *coding.keys), kept)
        known: Any = {"scored": None, "here": None, "title": title, "coding": coding}
        return cls(n, coding.labels, **known, kept=kept)

    def table(self) -> Any:
        """Bring all counts here."""
        with running(self.title):
            return self._frame.toArrow()

    @property
    def _frame(self) -> Any:
        if self.block is None:
            return self.kept.frame
        return self.kept.frame.where(f"block = {self.block}").drop("block")

    def split(self, sizes: Sequence[int], *, rng: Random) -> tuple[Self, ...]:
        """Deal the rows out in a uniform order, once for all who ask for a block."""
        dealt = OnDisks(self._dealt(Deal.of(self, self.n, sizes, rng=rng)), self.kept)
        return tuple(
            replace(self, n=size, kept=dealt, block=block) for block, size in enumerate(sizes)
        )

    def histogram(self, key: bytes, bits: int, /) -> Ints:
        """Count the rows by the leading bits of their words."""
        held = np.zeros(1 << bits, dtype=np.int64)
        table = self._added(partial(_histogram, key, bits))
        held[table.column("place").to_numpy()] = table.column("n0").to_numpy()
        return held

    def within(self, key: bytes, bits: int, bins: Ints, /) -> NDArray[np.uint64]:
        """Return the words with these leading bits."""
        table = self._asked(partial(_within, key, bits, bins), "word long")
        return np.asarray(table.column("word").to_numpy()).astype(np.int64).view(np.uint64)

    def each(
        self, vote: Callable[..., T], sizes: Sequence[int], *, label: int | None = None, rng: Random
    ) -> list[T]:
        """Return what each block votes, block by block on some worker."""
        poll = partial(_vote, self.coding, label, vote)
        nobody = np.zeros((0, len(self.coding.keys)), dtype=np.int64)
        if not sum(sizes):
            return [poll(0, nobody, nobody[:, 0]) for _ in sizes]
        keys, task = self.coding.keys, partial(_votes, self.coding, poll, list(sizes))
        with running(self.title):
            dealt = self._dealt(Deal.of(self, self.n, sizes, rng=rng))
            together = dealt.repartition("block").sortWithinPartitions("block", *keys)
            told = mapped(together, task, "place long, answer binary").toArrow()
        filled = [block for block, size in enumerate(sizes) if size]
        known = dict(zip(filled, answers(told, filled), strict=True))
        return [
            known[block] if size else poll(0, nobody, nobody[:, 0])
            for block, size in enumerate(sizes)
        ]

    def gains(self, concepts: ConceptClass[Any]) -> LabelGains:
        """Score all rules on all labels."""
        sums = [f"n{j}" for j in range(self.labels + 1)]
        task = partial(_gains, concepts, self.coding)
        return rule_gains(self._added(task, sums), concepts, self.labels)  # type: ignore[arg-type]

    def scores(
        self,
        hypotheses: Sequence[Concept],
        outputs: HypothesisClass[Any],
        levels: Sequence[tuple[int, ...]],
    ) -> list[ScoreCounts]:
        """Count the rows by the scores of each label's hypothesis."""
        task = partial(_scores, self.coding, tuple(hypotheses), outputs, tuple(levels))
        table = self._added(task)
        sizes = [2 * (len(each) + 1) for each in levels]
        cells = np.zeros(sum(sizes), dtype=np.int64)
        cells[table.column("place").to_numpy()] = table.column("n0").to_numpy()
        parts = np.split(cells, np.cumsum(sizes)[:-1])
        return [
            ScoreCounts(self.n, each, part.reshape(-1, 2))
            for each, part in zip(levels, parts, strict=True)
        ]

    def _added(self, task: Any, sums: Sequence[str] = ("n0",)) -> Any:
        """Add up by place what the workers count."""
        columns = ", ".join(f"{name} long" for name in ("place", *sums))
        return self._asked(
            task, columns, lambda frame: frame.groupBy("place").sum(*sums).toDF("place", *sums)
        )

    def _asked(
        self, task: Any, columns: str, then: Callable[[Any], Any] = lambda told: told
    ) -> Any:
        """Let each worker do something with its records."""
        with running(self.title):
            return then(self._mapped(task, columns)).toArrow()

    def _dealt(self, deal: Deal) -> Any:
        columns = ", ".join(f"{name} long" for name in ("block", *self.coding.keys, "n0"))
        return self._mapped(partial(_blocks, deal, self.coding.keys), columns)

    def _mapped(self, task: Any, columns: str) -> Any:
        return mapped(self._frame, partial(_pieces, self.coding.keys, task), columns)


def _pieces(
    keys: Sequence[str], task: Callable[[Iterator[Piece]], Iterator[Any]], batches: Iterator[Any]
) -> Iterator[Any]:
    """Do something with the records of each batch."""
    yield from task(
        (np.stack([_integers(batch, name) for name in keys], axis=1), _integers(batch, "n0"))
        for batch in batches
        if len(batch)
    )


def _integers(batch: Any, name: str) -> Ints:
    return np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=np.int64)


def _histogram(key: bytes, bits: int, pieces: Iterator[Piece]) -> Iterator[Any]:
    held = np.zeros(1 << bits, dtype=np.int64)
    for lines, totals in pieces:
        held += Records(lines, totals).histogram(key, bits)
    places = np.flatnonzero(held)
    yield pa.RecordBatch.from_arrays([pa.array(places), pa.array(held[places])], ["place", "n0"])


def _within(key: bytes, bits: int, bins: Ints, pieces: Iterator[Piece]) -> Iterator[Any]:
    for lines, totals in pieces:
        found = Records(lines, totals).within(key, bits, bins)
        yield pa.RecordBatch.from_arrays([pa.array(found.view(np.int64))], ["word"])


def _blocks(deal: Deal, keys: Sequence[str], pieces: Iterator[Piece]) -> Iterator[Any]:
    """Yield each record once in each block that has some of its rows."""
    for lines, totals in pieces:
        parts = list(deal.split(Records(lines, totals)))
        if parts:
            which, block, rows = (np.concatenate(part) for part in zip(*parts, strict=True))
            many = int(block.max()) + 1
            pairs, same = np.unique(which * many + block, return_inverse=True)
            held = np.zeros(len(pairs), dtype=np.int64)
            np.add.at(held, same, rows)
            codes = lines[pairs // many].T
            columns = [pa.array(column) for column in (pairs % many, *codes, held)]
            yield pa.RecordBatch.from_arrays(columns, ["block", *keys, "n0"])


def _votes(
    coding: Coding,
    poll: Callable[[int, Ints, Ints], Any],
    sizes: Sequence[int],
    batches: Iterator[Any],
) -> Iterator[Any]:
    """Put one block after the other together, and yield what it votes."""
    at, held = -1, list[Piece]()

    def told() -> Any:
        lines, totals = (np.concatenate(part) for part in zip(*held, strict=True))
        said = [pickle.dumps(poll(sizes[at], lines, totals))]
        return pa.RecordBatch.from_arrays(
            [pa.array([at], pa.int64()), pa.array(said, pa.binary())], ["place", "answer"]
        )

    for batch in batches:
        block, totals = _integers(batch, "block"), _integers(batch, "n0")
        lines = np.stack([_integers(batch, name) for name in coding.keys], axis=1)
        starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            if (found := int(block[start])) != at and held:
                yield told()
                held = []
            at = found
            held.append((lines[start:end], totals[start:end]))
    if held:
        yield told()


def _vote(
    coding: Coding,
    label: int | None,
    vote: Callable[[JointCounts | LabelCounts], T],
    size: int,
    lines: Ints,
    totals: Ints,
) -> T:
    if len(lines):
        lines, places = np.unique(lines, axis=0, return_inverse=True)
        rows = np.zeros(len(lines), dtype=np.int64)
        np.add.at(rows, places.reshape(-1), totals)
        totals = rows
    block = replace(_joint(coding, lines, totals), n=size)
    if label is None:
        return vote(block)
    held = block.marginal()
    return vote(replace(held, labels=1, positives=held.positives[:, [label]]))


def _gains(concepts: Any, coding: Coding, pieces: Iterator[Piece]) -> Iterator[Any]:
    def weighed() -> Iterator[Piece]:
        for lines, totals in pieces:
            held = _joint(coding, lines, totals)
            points = held.points.reshape(len(totals), coding.features)
            yield points, np.column_stack((totals, held.marks * totals[:, None]))

    yield from added_up(concepts, coding.labels, weighed())


def _scores(
    coding: Coding,
    hypotheses: Sequence[Concept],
    outputs: HypothesisClass[Any],
    levels: Sequence[tuple[int, ...]],
    pieces: Iterator[Piece],
) -> Iterator[Any]:
    cells = np.zeros(2 * sum(len(each) + 1 for each in levels), dtype=np.int64)
    for lines, totals in pieces:
        held = _joint(coding, lines, totals)
        rows = LabelCounts(held.n, coding.labels, held.points, totals, held.marks * totals[:, None])
        told = [
            ScoreCounts.of(rows, hypothesis, outputs, label=label, levels=levels[label]).cells
            for label, hypothesis in enumerate(hypotheses)
        ]
        cells += np.concatenate([each.ravel() for each in told])
    places = np.flatnonzero(cells)
    yield pa.RecordBatch.from_arrays([pa.array(places), pa.array(cells[places])], ["place", "n0"])


def _joint(coding: Coding, lines: Ints, totals: Ints) -> JointCounts:
    """Read lines of codes and of marks, packed into words, as records; they need not differ."""
    d, marks = coding.features, np.zeros((len(lines), coding.labels), dtype=np.bool_)
    for i, word in enumerate(words(coding.labels)):
        for j in word:
            marks[:, j] = lines[:, d + i] >> j - word[0] & 1
    points = lines[:, 0] if d == 1 else lines[:, :d]
    return JointCounts(int(totals.sum()), coding.labels, points, marks, totals)
