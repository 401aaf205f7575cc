"""Synthetic rows that have nearly the tables of all pairs of columns, of all houses together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from tacit.core.errors import InvalidArgument
from tacit.core.version import __version__
from tacit.data.schema.schema import Schema
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.contract.synthetic import SyntheticRows
from tacit.sanitizers.marginals.pairs import rows_like
from tacit.workflows.counting.bins import read_bins
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.scorecard import rows_of
from tacit.workflows.sites.question import Wanted
from tacit.workflows.synthetic_table import SyntheticTable

BINS = 8
"""Parts of a column of numbers, unless it is cut where told."""


def ask(schema: Schema, *, columns: Sequence[str]) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask for the cross-table of each pair of columns."""
    bins = read_bins(schema, columns, BINS, role="columns")
    if len(bins) < 2:
        raise InvalidArgument("columns: pairs are of two columns or more")
    pairs = combinations([ColumnAxis(each) for each in bins], 2)
    return {"columns": [*columns]}, [Wanted(pair, Fraction(1)) for pair in pairs]


def made(joined: JoinedTables) -> SyntheticTable:
    """Make as many rows as all houses have; nothing is promised of their error."""
    question = joined.question
    bins = tuple(read_bins(question.schema, question.given["columns"], BINS))
    shape, n = tuple(each.size for each in bins), rows_of(joined)
    noisy = np.concatenate([joined.cells(i).ravel() for i in range(len(joined.sums))])
    rows = rows_like(shape, noisy.astype(np.int64), n, joined.variance(0))
    return SyntheticTable(
        bins=bins,
        synthetic=SyntheticRows.of(shape, rows, []),
        schema=question.schema,
        questions=Questions.read("conjunctions(width=2)", shape),
        method="pairs",
        n=n,
        cost=question.cost,  # type: ignore[arg-type]
        privacy=question.privacy,
        error=Fraction(1),
        beta=Fraction(1, 20),
        secure=joined.secure,
        version=__version__,
        unit=question.unit,
    )
