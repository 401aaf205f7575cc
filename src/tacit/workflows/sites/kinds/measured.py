"""How good a model is on the rows of several houses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.measurement import POSITIVES
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows.measuring import Measured
from tacit.workflows.sites.axes import ModelAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.question import Wanted

ERRORS = Fraction(2, 5)
"""The part of the budget that errors get; `POSITIVES` of the rest is for positives."""


def ask(schema: Schema, *, model: Model) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask for errors, positives, and rows by score and label, as `measure` tells them."""
    if Schema.parse(model.schema) != schema:
        raise InvalidArgument("the model reads columns by another schema than the question's")
    rest, wanted = 1 - ERRORS, []
    for place, hypothesis in enumerate(model.hypotheses):
        score = ModelAxis(model, place, "score", tuple(hypothesis.levels))
        label = ModelAxis(model, place, "label")
        wanted.append(Wanted((ModelAxis(model, place, "wrong"),), ERRORS))
        wanted.append(Wanted((label,), POSITIVES * rest))
        wanted.append(Wanted((score, label), (1 - POSITIVES) * rest))
    return {}, wanted


def made(joined: JoinedTables) -> Measured:
    """Read what was told of each label."""
    question = joined.question
    if question.model is None or joined.n is None or question.tables[0].gaussian:
        raise InvalidArgument("measuring joins counts of a public number of rows, with a model")
    readings = []
    for place, table in enumerate(question.tables[2::3]):
        errors, positives, cells = joined.sums[3 * place : 3 * place + 3]
        pairs = tuple((no, yes) for yes, no in zip(cells[::2], cells[1::2], strict=True))
        score = table.by[0]
        assert isinstance(score, ModelAxis)
        rates = [each.share / each.moved[0] for each in question.tables[3 * place : 3 * place + 3]]
        read = Reading(joined.n, score.levels, errors[0], positives[0], pairs, tuple(rates))
        readings.append(replace(read, draws=joined.draws))
    return Measured(
        labels=question.model.labels,
        readings=tuple(readings),
        n=joined.n,
        cost=question.cost,
        privacy=question.privacy,
        secure=joined.secure,
        unit=question.unit,
        always=question.model.always,
    )
