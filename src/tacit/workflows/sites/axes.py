"""What rows are counted by: parts of a column, or what a public model says of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.statistics.counts.score_counts import check_levels
from tacit.workflows.counting.bins import Bins
from tacit.workflows.predicting import outcomes_of

Codes = Mapping[str, NDArray[np.int64]]
"""The codes of some rows, by column."""


@dataclass(frozen=True, slots=True)
class ColumnAxis:
    """The parts of a column; a row is in exactly one."""

    bins: Bins

    @property
    def columns(self) -> tuple[str, ...]:
        """What is read."""
        return (self.bins.name,)

    @property
    def size(self) -> int:
        """How many parts there are."""
        return self.bins.size

    @property
    def said(self) -> str:
        """The axis in words."""
        return f"{self.bins.name} ({self.size} parts)"

    def cells(self, codes: Codes) -> NDArray[np.int64]:
        """Return the part of each row."""
        held = np.clip(codes[self.bins.name], 0, self.bins.column.size - 1)
        return self.bins.of(held)

    def encode(self) -> dict[str, Any]:
        """Return a JSON object: where parts begin, as codes, if not each code is one."""
        edges = {"edges": list(self.bins.edges)} if self.bins.edges else {}
        return {"column": self.bins.name, **edges}


Said = Literal["score", "wrong", "label"]


@dataclass(frozen=True, slots=True)
class ModelAxis:
    """What a public model says of a row: where its score stands, whether it errs, or the label.

    Of `wrong` and `label` the first of two parts are rows on which the model errs, or with the
    label: those that are counted where one of two parts is enough.
    """

    model: Model
    place: int
    what: Said
    levels: tuple[int, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """What is read."""
        return (*self.model.features, self._outcome[0].name)

    @property
    def size(self) -> int:
        """How many parts there are."""
        return len(self.levels) + 1 if self.what == "score" else 2

    @property
    def said(self) -> str:
        """The axis in words."""
        told = {"score": f"{self.size} levels of the score of", "wrong": "errors on", "label": ""}
        return f"{told[self.what]} {self.model.labels[self.place]}".strip()

    def cells(self, codes: Codes) -> NDArray[np.int64]:
        """Return the part of each row."""
        outcome, mark = self._outcome
        yes = outcome.marked(codes[outcome.name])[:, mark]
        if self.what == "label":
            return np.asarray(~yes, dtype=np.int64)
        points = np.stack([codes[name] for name in self.model.features], axis=1)
        held = self.model.outputs.clip(points[:, 0] if points.shape[1] == 1 else points)
        scores = self.model.hypotheses[self.place].score(held)
        if self.what == "wrong":
            return np.asarray((scores >= 0) == yes, dtype=np.int64)
        places: NDArray[np.int64] = np.searchsorted(np.array(self.levels), scores, side="right")
        return places

    def encode(self) -> dict[str, Any]:
        """Return a JSON object; the model is told once, beside all tables."""
        levels = {"levels": list(self.levels)} if self.what == "score" else {}
        return {"model": self.what, "label": self.place, **levels}

    @property
    def _outcome(self) -> tuple[Any, int]:
        """Return the label column, and which of its marks this label is."""
        place = self.place
        for outcome in outcomes_of(self.model):
            if place < len(outcome.marks):
                return outcome, place
            place -= len(outcome.marks)
        raise InvalidArgument(f"the model has no label {self.place}")


Axis = ColumnAxis | ModelAxis


def read_axis(encoded: Any, schema: Schema, model: Model | None) -> Axis:
    """Read what `encode` wrote; whoever sent it may have sent anything."""
    match encoded:
        case {"column": str(name), **rest} if not rest.keys() - {"edges"}:
            return ColumnAxis(Bins(name, schema[name], _edges(rest, schema[name].size)))
        case {"model": "score", "label": int(place), "levels": [*levels]} if len(encoded) == 3:
            check_levels([check.count(level=each, least=-(1 << 62)) for each in levels])
            return _of_model(model, place, "score", levels)
        case {"model": "wrong" | "label" as what, "label": int(place)} if len(encoded) == 2:
            return _of_model(model, place, what, ())
    raise InvalidArgument("an axis of a table must be a column with its edges, or of a model")


def _of_model(model: Model | None, place: int, what: Said, levels: Sequence[int]) -> ModelAxis:
    if model is None or not 0 <= place < len(model.labels):
        raise InvalidArgument("a table asks for a label of a model that the question does not hold")
    return ModelAxis(model, place, what, tuple(levels))


def _edges(rest: Mapping[Any, Any], size: int) -> tuple[int, ...]:
    if "edges" not in rest:
        return ()
    match rest["edges"]:
        case [0, *more] if all(type(edge) is int for edge in more):
            edges = (0, *more)
            if edges[-1] < size and all(a < b for a, b in pairwise(edges)):
                return edges
    raise InvalidArgument("edges must be ascending codes of a column, from 0 on")
