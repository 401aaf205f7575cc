"""From rows to persons: the same on every engine, which counts by identifiers as by any column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.core.errors import InvalidArgument, nearest
from tacit.data.persons.identity import Identity
from tacit.data.reading.coding import Coding
from tacit.data.reading.opened import Opened
from tacit.data.reading.source import check_names
from tacit.kernels.reading.tally import Words
from tacit.statistics.counts.person_counts import PersonCounts


def person_counts(opened: Opened, coding: Coding, person: Sequence[str]) -> PersonCounts:
    """Count the rows of each person, who is told from others by the columns `person`.

    Guarantee:
        Each row is coded by itself; so replacing all rows of one person of the source, wherever
        they are in it, replaces one person of the counts. What is refused is refused for the
        structure of the source.

    >>> from tacit.data import Bits, Integer, Schema
    >>> from tacit.data.reading.source import open_source
    >>> coding = Coding.of(Schema({"age": Integer(0, 120), "ill": Bits()}), ["age"], ["ill"])
    >>> visits = {"patient": ["a7", "A7 ", 9], "age": [41, 42, 67], "ill": [0, 1, 1]}
    >>> counts = person_counts(open_source(visits), coding, ["patient"])
    >>> counts.n, counts.codes.tolist(), counts.starts.tolist()
    (2, [[41, 0], [42, 1], [67, 1]], [0, 1, 3])
    """
    if shared := [name for name in person if name in coding.names]:
        raise InvalidArgument(
            f"person (--person) names {shared[0]!r}, which is a feature or a label too: who "
            "somebody is, is not learned from; leave it out of one"
        )
    who = len(person)
    columns: tuple[Any, ...] = (*([Identity()] * who), *coding.columns)
    both = Coding(
        (*person, *coding.names),
        columns,
        who + coding.features,
        jointly=True,
        outcomes=coding.outcomes,
    )
    lost = next((name for name in person if name not in opened.names), "")
    hint = nearest(lost, {*coding.declared} - {lost})
    if not (hint or opened.listed):
        hint = "tacit schema template FILE shows them"
    way = "person (--person) must name one of its columns"
    check_names(opened, person, f"{way}; {hint}" if hint else way)
    check_names(opened, coding.names)
    table = opened.counted(both)
    if table is not None:
        codes, sums = both.read(table)
        grouped = PersonCounts.of(
            codes[:, :who], codes[:, who:], sums[:, 0], features=coding.features
        )
    else:
        packing = both.packing  # an identifier is a word by itself, the first ones
        empty = np.zeros((0, len(packing.groups)), dtype=np.int64)
        read = [both.rows(cells, packing)[0] for cells in opened.batches(both.names)]
        words = np.concatenate([empty, *read])
        grouped = PersonCounts.of(words[:, :who], words[:, who:], features=coding.features)
        rest = Words(packing.sizes[who:])
        grouped = replace(grouped, codes=rest.unpack(grouped.codes))
    return replace(grouped, spread=opened.spread)
