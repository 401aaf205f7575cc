"""Scorecards from the messages of several houses: label by part of every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.composition import price
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument
from tacit.core.version import __version__
from tacit.data.reading.coding import Coding
from tacit.data.schema.classes import class_for
from tacit.data.schema.columns import Ordered
from tacit.data.schema.outcome import Outcome
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.learners.linear.counted import narrow, steps_of
from tacit.learners.linear.counted_card import card_of
from tacit.workflows.counting.bins import Bins
from tacit.workflows.learned.question import outcomes_told
from tacit.workflows.learning import columns_of
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.question import Wanted

YES = Fraction(1, 20)
"""The share of the budget that tells how often each label occurs; all columns have the rest."""
PARTS = 12
"""Parts of a number, at most: lines are seen through the noise of many."""


def ask(
    schema: Schema,
    *,
    labels: Sequence[str],
    features: Sequence[str] | None = None,
    cuts: Mapping[str, Sequence[str]] | None = None,
    steps: Mapping[str, Sequence[int]] | None = None,
) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask how many rows of each label lie in each part of every column.

    Numbers are cut at round places of their declared range, or where `steps`, told by an earlier
    round, begin. A label of several values is one axis: it costs no more than yes and no.
    """
    columns = list(columns_of(schema, features, labels))
    coding = Coding.of(schema, columns, labels, cuts=cuts)
    _cards(schema, columns)
    wanted = []
    for outcome in coding.outcomes:
        said = ColumnAxis(label_bins(outcome))
        wanted.append(Wanted((said,), YES))
        for name in columns:
            part = ColumnAxis(_bins(schema, name, (steps or {}).get(name)))
            wanted.append(Wanted((part, said), (1 - YES) / len(columns)))
    given: dict[str, Any] = {"features": columns, "labels": list(labels)}
    given |= {"cuts": {name: [*map(str, at)] for name, at in cuts.items()}} if cuts else {}
    given |= {"steps": {name: [*at] for name, at in steps.items()}} if steps else {}
    return given, wanted


def made(joined: JoinedTables) -> Model:
    """Write a card for each label, and what it cost."""
    question, given = joined.question, joined.question.given
    features, labels = given["features"], given["labels"]
    coding = Coding.of(question.schema, features, labels, cuts=given.get("cuts"))
    concepts = _cards(question.schema, features)
    cards, place = list[Scorecard](), 0
    for outcome in coding.outcomes:
        cards.extend(_written(joined, concepts, outcome, place))
        place += 1 + len(features)
    return model_of(
        joined,
        concepts=concepts,
        outputs=concepts,
        features=tuple(features),
        labels=coding.marks,
        hypotheses=tuple(cards),
        learner="counted",
        outcomes=outcomes_told(coding),
    )


def model_of(joined: JoinedTables, cost: ReleaseCost | None = None, **told: Any) -> Model:
    """Return a model that was made of joined tables; a row pays what its own house's message cost.

    Each row is in one message, so that the messages together cost no more than the dearest. What
    several rounds cost is told.
    """
    question = joined.question
    paid = question.cost if cost is None else cost
    n = told.pop("n", None) or rows_of(joined)
    known = {"accuracy": None, "agnostic": True, "secure": joined.secure} | told
    return Model(
        **known,
        n=n,
        cost=paid,
        privacy=price(paid, question.privacy.delta).privacy,
        schema=question.schema.dump(),
        version=__version__,
        why=f"joined from {joined.said}",
        unit=question.unit,
    )


def rows_of(joined: JoinedTables) -> int:
    """Return how many rows all houses have, or about how many the first table tells."""
    return max(int(joined.cells(0).sum()), 1) if joined.n is None else joined.n


def label_bins(outcome: Outcome) -> Bins:
    """Return the parts of a label column that its marks tell apart."""
    column = outcome.column
    if not outcome.nested:
        return Bins(outcome.name, column)
    null = (column.inside,) if column.outside == "null" else ()
    return Bins(outcome.name, column, (0, *outcome.cuts, *null))


def _written(
    joined: JoinedTables, concepts: Scorecards, outcome: Outcome, place: int
) -> Iterator[Scorecard]:
    """Yield the card of each mark of a label column, whose tables begin at this place."""
    labels, n = joined.cells(place), rows_of(joined)
    tables = [joined.cells(place + 1 + i) for i in range(concepts.features)]
    axes = [joined.question.tables[place + 1 + i].by[0] for i in range(concepts.features)]
    parts = tuple(_parts(axis.bins) for axis in axes if isinstance(axis, ColumnAxis))
    bins, noise = label_bins(outcome), joined.variance(place + 1)
    marks = outcome.marked(np.array(bins.edges or range(bins.size), dtype=np.int64))
    for yes in marks.T:
        share = min(max(float(labels[yes].sum()), 0.5), max(n - 0.5, 0.5)) / n
        cells = [np.stack([t[:, yes].sum(axis=1), t[:, ~yes].sum(axis=1)]) for t in tables]
        blur = (noise * int(yes.sum()), noise * int((~yes).sum()))
        yield card_of(concepts, min(share, 1 - 1e-6), parts, cells, blur, lines=True)


def _cards(schema: Schema, columns: Sequence[str]) -> Scorecards:
    concepts = class_for("scorecards", schema, columns)
    assert isinstance(concepts, Scorecards)
    return concepts


def _bins(schema: Schema, name: str, steps: Sequence[int] | None) -> Bins:
    column = schema[name]
    if steps is None or not isinstance(column, Ordered):
        return Bins(name, column).coarse(PARTS)
    if any(type(step) is not int or not 0 < step < column.size for step in steps):
        raise InvalidArgument(f"steps of {name!r} must be codes of the column")
    return Bins(name, column, (0, *sorted({*steps})))


def _parts(bins: Bins) -> tuple[int, ...]:
    """Return where parts begin, beside 0."""
    return bins.edges[1:] if bins.edges else tuple(range(1, bins.size))


def ask_steps(schema: Schema, *, features: Sequence[str]) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask how many rows lie in narrow parts of every number: a first round for `scorecard`."""
    columns, wanted = list(features), []
    for place, _, starts in narrow(_cards(schema, columns)):
        bins = Bins(columns[place], schema[columns[place]], tuple(starts))
        wanted.append(Wanted((ColumnAxis(bins),), Fraction(1)))
    if not wanted:
        raise InvalidArgument("features: there is no number among these columns to cut")
    return {"features": [axis.columns[0] for each in wanted for axis in each.by]}, wanted


def made_steps(joined: JoinedTables) -> dict[str, Any]:
    """Return where steps of about equal mass begin, as `scorecard` takes them."""
    question, columns = joined.question, joined.question.given["features"]
    concepts = _cards(question.schema, columns)
    told = [count for table in range(len(joined.sums)) for count in joined.cells(table).tolist()]
    blur = joined.variance(0) ** 0.5
    parts = steps_of(concepts, rows_of(joined), told, PARTS, blur)
    steps = {name: list(at) for name, at in zip(columns, parts, strict=True)}
    return {"format": "tacit-steps-1", "round": question.round, "steps": steps}
