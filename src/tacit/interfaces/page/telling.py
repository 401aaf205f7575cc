"""What the pages say of a model: its rules, how good they were found, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.interfaces.output.promise import class_said, why_nothing
from tacit.interfaces.report.blocks import BarsBlock
from tacit.interfaces.report.goodness import DETAILED, pictures, points, short_rule
from tacit.interfaces.report.html import drawn
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.statement import by_group
from tacit.workflows import rules


def told(model: Model) -> dict[str, Any]:
    """Return rules, pictures and promises, as a page shows them."""
    said = [short_rule(model, place, rule) for place, rule in enumerate(rules(model))]
    return {
        "rules": [list(pair) for pair in zip(model.labels, said, strict=True)],
        "points": [drawn(block) for block in points(model) if isinstance(block, BarsBlock)],
        "measured": list(_measured(model)),
        "groups": by_group(model.labels, model.groups, model.grouped),
    } | promised(model)


def _measured(model: Model) -> Iterator[dict[str, Any]]:
    """Say how good each rule was found, and draw it as the report does."""
    for place in range(len(model.measured)):
        yield {
            "label": model.labels[place],
            "says": model.said(place),
            "better": model.gains(place),
            "pictures": [drawn(each) for each in pictures(model, place) if place < DETAILED],
        }


def promised(model: Model) -> dict[str, Any]:
    """Say what is known of a model before it is drawn: its cost and its promise."""
    promised = model.accuracy
    return {
        "labels": list(model.labels),
        "rows": model.n,
        "many": model.unit.many,
        "protected": model.unit.whose,
        "nothing": why_nothing(model),
        "learner": model.learner,
        "why": model.why,
        "class": class_said(model),
        "epsilon": float(model.of_rows.epsilon),
        "delta": float(model.of_rows.delta),
        "alpha": None if promised is None else float(promised.alpha),
        "beta": None if promised is None else float(promised.beta),
        "best_error": None if model.best_error is None else float(model.best_error),
        "assumes": named(model.learner).assumes,
    }
