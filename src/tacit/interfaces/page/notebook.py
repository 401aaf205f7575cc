"""A notebook that reads the model and applies it: JSON, written by us."""

from __future__ import annotations

import json
from typing import Any

from tacit.core.numbers.shown import at_most
from tacit.learners.contract.model import Model
from tacit.workflows import rules


def notebook(model: Model, table: str) -> str:
    """Return a notebook of format 4.5; it needs model.json beside it, and reads no table itself."""
    said = "\n".join(
        f"- **{_plain(label)}**: {_plain(rule)}"
        for label, rule in zip(model.labels, rules(model), strict=True)
    )
    privacy = f"ε = {at_most(model.of_rows.epsilon, 6)}, δ = {at_most(model.of_rows.delta)}"
    cells = [
        _text(
            f"# Private rules for {_plain(', '.join(model.labels))}\n\n{said}\n\n"
            f"Learned from {model.n} {model.unit.many} with {privacy}. "
            "Keep model.json beside this notebook."
        ),
        _code(
            "from pathlib import Path\n\nfrom tacit import Model, query, rules\n"
            "from tacit.workflows import predict\n"
            "from tacit.workflows.predicting import predictions\n\n"
            'model = Model.loads(Path("model.json").read_text(encoding="utf-8"))\n'
            "dict(zip(model.labels, rules(model), strict=True))"
        ),
        _code("float(model.privacy.epsilon), float(model.privacy.delta), model.n, model.secure"),
        _code("print(query(model, 'data'))"),
        _text("To predict for another table with the same columns, name its file:"),
        _code(
            f"table = {('new_' + table)!r}\n"
            "if Path(table).exists():\n"
            "    predicted = predict(model, table)\n"
            "    print(dict(zip(model.labels, predicted.mean(axis=0), strict=True)))\n"
            "    if model.measured:  # of each row the answers, then the risks\n"
            "        print(next(predictions(model, table, risk=True))[:5])"
        ),
    ]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def _plain(said: str) -> str:
    """Return a text that Markdown takes as it is."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in said if c.isprintable())
