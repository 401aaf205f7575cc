"""A model card: the record of a release in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tacit.core.cost_json import decode_cost
from tacit.interfaces.output.promise import decided
from tacit.interfaces.report.blocks import Grid, Section, Text
from tacit.interfaces.report.cost_tree import cost_tree, short
from tacit.interfaces.report.html import page
from tacit.interfaces.report.markdown import document


def model_card(record: dict[str, Any], rules: dict[str, str]) -> dict[str, str]:
    """Return the card of a record, by its two forms; `rules` are the model's, in English."""
    title, lead = f"Model card: {', '.join(record['labels'])}", record["question"]
    told = tuple(_sections(record, rules))
    return {"card.html": page(title, lead, told), "card.md": document(title, lead, told)}


def _sections(record: dict[str, Any], rules: dict[str, str]) -> Iterator[Section]:
    claim = record["privacy"]
    said = tuple((label, decided(rule)) for label, rule in rules.items())
    yield Section("The rules", (Grid(said, ("label", "rule")),))
    facts = [
        ("ε", f"{short(Fraction(claim['epsilon']))} (exactly {claim['epsilon']})"),
        ("δ", f"{short(Fraction(claim['delta']))} (exactly {claim['delta']})"),
        ("who is protected", claim["unit"]["said"]),
        ("shown by", f"{claim['proof']['theorem']}, which check_release.py derives again"),
        ("the library's own price", "ε = {epsilon} by {interpreter}".format(**claim["library"])),
        ("class, learner", f"{record['class'].partition('(')[0]}, {record['learner']}"),
        ("rows or persons", str(record["n"])),
        ("coins", "secret" if record["secure"] else "NOT PRIVATE: seeded"),
        ("charged", _charged(record["ledger"])),
        ("approved by", ", ".join(record["approved"]) or "nobody is named"),
        ("schema, model", f"{record['schema_digest']}, {record['model_digest']}"),
        ("versions", ", ".join(f"{name} {each}" for name, each in record["versions"].items())),
        ("proofs", ", ".join(record["proofs"])),
    ]
    yield Section("Privacy, and what it rests on", (Grid(tuple(facts)),))
    yield Section("How the cost adds up", (cost_tree(decode_cost(record["cost"])),))
    yield Section("How good it is", (_quality(record),))
    limits = "What a pack does not say is in section 9 of pack.md: above all that the key is yours."
    yield Section("Where the promise ends", (Text(limits),))


def _quality(record: dict[str, Any]) -> Grid | Text:
    if not record["measured"]:
        promised = record["accuracy"]
        return Text(f"Not measured. Promised: {json.dumps(promised)}.")
    rows = tuple(
        (name, *(f"{each[key]:.4g}" for key in ("error", "low", "high", "constant_error")))
        for name, each in record["measured"].items()
    )
    return Grid(rows, ("label", "error", "at least", "at most", "without the rules"))


def _charged(ledger: dict[str, Any] | None) -> str:
    if ledger is None:
        return "to no ledger"
    return f"event {ledger['number']} of the ledger, {ledger['time']}, hash {ledger['hash']}"
