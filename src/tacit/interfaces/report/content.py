"""What a report says, section by section; every number comes from the model or from the plan."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator
from fractions import Fraction

from tacit.core.composition import price
from tacit.core.group_privacy import group_privacy
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.data import Column, Date, Integer, Real, Schema
from tacit.interfaces.output.promise import if_best, rules_in_class
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.blocks import Block, CodeBlock, Grid, Section, Text, Warned
from tacit.interfaces.report.cost_tree import cost_tree, short
from tacit.interfaces.report.goodness import goodness, points, short_rule
from tacit.interfaces.report.power import offers, power_curve
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.workflows import query, rules

WEAK = 10
"""Beyond this epsilon the promise says little."""
GROUPS = (1, 2, 3, 5, 10, 20)
MOST_OFFERS = 8


def sections(model: Model, asked: Asked) -> tuple[Section, ...]:
    """Return the whole report; what is said of rows alone is left out where labels are meant."""
    found = (
        Section("The rules", tuple(_rules(model))),
        Section("How good the rules are", tuple(goodness(model))),
        Section("The points, to add up on paper", tuple(points(model))),
        Section("Read this first", tuple(_warnings(model, asked))),
        Section("Certificate of privacy", tuple(_certificate(model, asked))),
        Section("People with several rows", tuple(_groups(model))),
        Section("Accuracy", tuple(_accuracy(model, asked))),
        Section("What was asked", (Grid(tuple(_request(model, asked))),)),
        Section("How the cost adds up", tuple(_composition(model))),
        Section("The rules in SQL", (Text("For DuckDB; data is the table."), _sql(model))),
        Section("What is public", tuple(_public(model))),
        Section("To do it again", tuple(_again(model, asked))),
    )
    return tuple(section for section in found if section.blocks)


def certificate(model: Model, asked: Asked) -> tuple[Section, ...]:
    """Return what the Markdown form holds: everything but the SQL."""
    return tuple(each for each in sections(model, asked) if each.title != "The rules in SQL")


def _rules(model: Model) -> Iterator[Block]:
    said = [short_rule(model, place, rule) for place, rule in enumerate(rules(model))]
    yield Grid(tuple(zip(model.labels, said, strict=True)), ("label", "yes if"))


def _warnings(model: Model, asked: Asked) -> Iterator[Block]:
    if not model.secure:
        yield Warned(
            "NOT PRIVATE: the coins were seeded, so that anyone can draw them again. The numbers "
            "below are what secret coins would give.",
            grave=True,
        )
    if model.cost is None:
        yield Warned(
            f"Of this table {SAID}: the rules may tell who is in it, and with which features. A "
            "person with k rows is promised k times this ε for all of their labels."
        )
    else:
        yield Warned(
            "The promise protects one row. If a person can have several rows in the table, what "
            "that person is promised is weaker: see the section on people with several rows."
        )
    if model.cost is None:
        yield Warned(
            "No ledger takes this release, since its ε is not one of whole rows. Every other "
            "release of these labels adds to it: keep count beside the ledger."
        )
    elif asked.dataset is None:
        yield Warned(
            "This release was charged to no ledger. Every other release from the same people adds "
            "to its cost; tacit ledger keeps count."
        )
    if model.privacy.epsilon > WEAK:
        yield Warned(f"ε = {short(model.privacy.epsilon)} is large: it promises very little.")
    if not isinstance(model.privacy, LabelPrivacy) and model.privacy.delta * model.n > 1:
        yield Warned(
            f"δ = {short(model.privacy.delta)} is above 1/n: a mechanism that shows one random row "
            "to everyone would keep such a promise. Choose δ well below 1/n."
        )
    if model.accuracy is None:
        yield Warned("Nothing is promised about the error of these rules.")
    yield Text(
        "Not covered by the promise: how long the computation took, who saw the table itself, and "
        "what others publish about the same people."
    )


def _certificate(model: Model, asked: Asked) -> Iterator[Block]:
    spent = model.privacy
    factor, up_to = math.exp(min(float(spent.epsilon), 700.0)), ""
    by, differing, delta = (
        "basic",
        "in the labels of one row, all features being the same",
        Fraction(0),
    )
    if model.cost is not None:
        delta, differing = model.of_rows.delta, "in one replaced row"
        up_to = f", up to a probability of {short(delta)}" if delta else ""
        by = price(model.cost, delta).interpreter
    yield Grid(
        (
            ("ε (epsilon)", f"{short(spent.epsilon)} (exactly {spent.epsilon})"),
            ("δ (delta)", f"{short(delta)} (exactly {delta})"),
            ("neighbours", f"tables that differ {differing}; the number of rows is public"),
            ("unit of privacy", f"{_unit(model)} of the table"),
            ("rows", str(model.n)),
            ("random bits", "secret, from the operating system" if model.secure else "SEEDED"),
            ("proved by", f"{by} composition, exact"),
            *_charged(asked),
        )
    )
    yield Text(
        f"In words: whatever was believed about {_unit(model)} before, its odds between any two "
        f"values change by a factor of at most {factor:.4g} when these rules are seen{up_to}. This "
        "holds for every table, every row, and whatever else is known."
    )


def _unit(model: Model) -> str:
    return "one row" if model.cost is not None else "the labels of one row, not its features,"


def _charged(asked: Asked) -> Iterator[tuple[str, str]]:
    if asked.dataset is not None:
        by = f", by {asked.analyst}" if asked.analyst else ""
        yield "charged to", f"the ledger's data set {asked.dataset}{by}"


def _groups(model: Model) -> Iterator[Block]:
    if model.cost is None:
        return
    yield Text("A person with k rows is promised this for all of them together.")
    found = [(k, group_privacy(model.of_rows, k)) for k in GROUPS]
    yield Grid(
        tuple(
            (str(k), "no promise", "")
            if kept is None
            else (str(k), short(kept.epsilon), short(kept.delta))
            for k, kept in found
        ),
        ("rows of one person", "ε", "δ"),
    )
    yield Text("To protect people, make one row of each person before learning.")


def _accuracy(model: Model, asked: Asked) -> Iterator[Block]:
    if model.accuracy is None:
        yield Text("Nothing is promised: too few rows, or a learner that never promises.")
    else:
        above = " above that of the best rule of the class" if model.agnostic else ""
        many = f" for all {len(model.labels)} labels at once" if len(model.labels) > 1 else ""
        explained = "" if model.agnostic else ", and some rule of the class explains the labels"
        given = explained + if_best(model.best_error, so_far=", and")
        yield Text(
            f"The error is at most {short(model.accuracy.alpha)}{above}{many}, with probability at "
            f"least {short(1 - model.accuracy.beta)}, if the rows are independent draws{given}."
        )
        assumed = named(model.learner).assumes
        yield Text(
            f"The promise assumes: {assumed}."
            if assumed
            else "Error is the chance that a rule is wrong about a new row from the same source."
        )
    curve = power_curve(model, asked)
    if curve is not None:
        yield Text("How many rows the same learner needs, by the error it then promises.")
        yield curve
    offered = offers(model, asked)[:MOST_OFFERS]
    if offered:
        yield Text("The plan: learners that promise the same error, and the rows they need.")
        yield Grid(
            tuple((each.name, str(each.n), each.theorem) for each in offered),
            ("learner", "rows", "theorem"),
        )


def _request(model: Model, asked: Asked) -> Iterator[tuple[str, str]]:
    yield "class", asked.concepts
    yield "which is", f"{_clipped(str(model.concepts))}, {rules_in_class(model)} rules"
    yield "features", ", ".join(model.features)
    yield "labels", ", ".join(model.labels)
    yield "learner", model.learner
    yield "ε and δ for all labels", f"{short(asked.epsilon)} and {short(asked.delta)}"
    yield "labels may be", "arbitrary" if model.agnostic else "explained by a rule of the class"
    wanted = "none" if asked.alpha is None else short(asked.alpha)
    yield "error asked for", wanted
    yield "the promise may fail", f"with probability {short(asked.beta)}"


def _composition(model: Model) -> Iterator[Block]:
    if model.cost is None:
        return
    found = price(model.cost, model.of_rows.delta)
    yield cost_tree(model.cost)
    yield Text(
        f"Together: ε = {short(found.privacy.epsilon)} at δ = {short(model.of_rows.delta)}, by "
        f"{found.interpreter} composition."
    )


def _sql(model: Model) -> CodeBlock:
    return CodeBlock(query(model, "data"))


def _public(model: Model) -> Iterator[Block]:
    yield Text(
        "These are not protected, since they were known before the table was read: the number of "
        "rows, the class, the learner, the budget, and the declared domain of each column."
    )
    if model.cost is None:
        yield Text("Nor are the features of any row: this release takes them to be public.")
    schema = Schema.parse(model.schema)
    named = [name for name in schema.names if name in (*model.features, *model.labels)]
    yield Grid(
        tuple(
            (name, f"{schema[name].domain} ({schema[name].size} values)", _policy(schema[name]))
            for name in named
        ),
        ("column", "declared domain", "cells outside it"),
    )


def _policy(column: Column) -> str:
    if column.outside == "null":
        return "read as missing, a value of its own"
    first = f"read as {column.describe(0)}"
    if not isinstance(column, Integer | Real | Date):
        return first
    kind = "date" if isinstance(column, Date) else "number"
    return f"read as the nearest end; no {kind}: {first}"


def _again(model: Model, asked: Asked) -> Iterator[Block]:
    coins = (
        "The coins are secret: running it again draws other rules, and costs the same once more."
        if model.secure
        else "The coins were seeded: the same command draws the same rules."
    )
    yield Grid(
        (
            ("tacit", model.version),
            ("Python", platform.python_version()),
            ("schema (SHA-256)", Schema.parse(model.schema).digest),
            *((("model file (SHA-256)", asked.model_digest),) if asked.model_digest else ()),
        )
    )
    yield Text(
        f"{coins} What the rules say of any row follows from the model file alone: tacit predict "
        "and tacit sql read it. That the learner keeps its promise can be checked on all small "
        "tables: tacit audit."
    )
    yield CodeBlock(model.schema)


def _clipped(told: str) -> str:
    return told if len(told) <= 200 else told.partition("(")[0]
