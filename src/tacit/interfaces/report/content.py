"""What a report says, section by section; every number comes from the model or from the plan."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator
from fractions import Fraction

from tacit.core.composition import price
from tacit.core.group_privacy import group_privacy
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.unit import ROWS
from tacit.data import Column, Date, Integer, Real, Schema
from tacit.interfaces.output.promise import if_best, if_declared, rules_in_class, why_nothing
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.blocks import Block, CodeBlock, Grid, Section, Text, Warned
from tacit.interfaces.report.cost_tree import cost_tree, short
from tacit.interfaces.report.goodness import (
    PICTURED,
    goodness,
    in_numbers,
    others_in_numbers,
    points,
    short_rule,
)
from tacit.interfaces.report.power import offers, power_curve
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.workflows import query, rules

WEAK = 10
"""Beyond this epsilon the promise says little."""
GROUPS = (1, 2, 3, 5, 10, 20)
MOST_OFFERS = 8
SQL = "The rules in SQL"


def sections(model: Model, asked: Asked) -> tuple[Section, ...]:
    """Return the whole report; what is said of rows alone is left out where labels are meant."""
    seen = {"folded": True, "printed": False}
    found = (
        Section("How good the rules are", tuple(goodness(model))),
        Section("The rules", tuple(_rules(model))),
        Section("Read this first", tuple(_warnings(model, asked))),
        Section("The points, to add up on paper", tuple(points(model, end=PICTURED)), folded=True),
        Section("The points of the other labels", tuple(points(model, PICTURED)), **seen),
        Section("What was measured, in numbers", tuple(in_numbers(model)), folded=True),
        Section("The same of the other labels", tuple(others_in_numbers(model)), **seen),
        Section("Certificate of privacy", tuple(_certificate(model, asked)), folded=True),
        Section("People with several rows", tuple(_groups(model)), folded=True),
        Section("Accuracy", tuple(_accuracy(model, asked)), folded=True),
        Section("What was asked", (Grid(tuple(_request(model, asked))),), **seen),
        Section("How the cost adds up", tuple(_composition(model)), folded=True),
        Section(SQL, tuple(_sql(model)), **seen),
        Section("What is public", tuple(_public(model)), folded=True),
        Section("To do it again", tuple(_again(model, asked)), **seen),
    )
    return tuple(section for section in found if section.blocks)


def certificate(model: Model, asked: Asked) -> tuple[Section, ...]:
    """Return what the Markdown form holds: everything but the SQL."""
    return tuple(each for each in sections(model, asked) if each.title != SQL)


def _rules(model: Model) -> Iterator[Block]:
    said = [short_rule(model, place, rule) for place, rule in enumerate(rules(model))]
    yield Grid(tuple(zip(model.labels, said, strict=True)), ("label", "rule"))
    delta = Fraction(0) if model.cost is None else model.of_rows.delta
    up_to = f", δ = {short(delta)}" if delta else ""
    of = "the labels of " if model.cost is None else ""
    yield Text(f"ε = {short(model.privacy.epsilon)}{up_to}; protected: {of}{model.unit.said}.")


def _warnings(model: Model, asked: Asked) -> Iterator[Block]:
    if not model.secure:
        yield Warned(
            "NOT PRIVATE: the coins were seeded, so that anyone can draw them again. The numbers "
            "below are what secret coins would give.",
            grave=True,
        )
    if model.cost is None:
        yield Warned(
            f"Of this table {SAID}: the rules may tell who is in it, and with which features."
        )
        if not model.unit.person:
            yield Warned("A person with k rows is promised k times this ε for all of their labels.")
    elif not model.unit.person:
        yield Warned(
            "The promise protects one row. If a person can have several rows in the table, what "
            "that person is promised is weaker: see the section on people with several rows."
        )
    if model.cost is None:
        yield Warned(
            "No ledger takes this release, since its ε is not one of whole rows. Every other "
            "release of these labels adds to it: keep count beside the ledger."
        )
    elif asked.saved:
        yield Warned(
            "This was written from a saved model, which does not say what ledger was charged. "
            "Every other release from the same people adds to its cost; tacit ledger keeps count."
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
    if model.accuracy is None and not (model.measured or model.grouped):
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
        f"in the labels of {model.unit.whose}, all features being the same",
        Fraction(0),
    )
    if model.cost is not None:
        delta, differing = model.of_rows.delta, "in one replaced row"
        differing = differing if model.unit == ROWS else f"in {model.unit.said}"
        up_to = f", up to a probability of {short(delta)}" if delta else ""
        by = price(model.cost, delta).interpreter
    many, known = model.unit.many, "secret" if model.unit.added else "public"
    yield Grid(
        (
            ("ε (epsilon)", f"{short(spent.epsilon)} (exactly {spent.epsilon})"),
            ("δ (delta)", f"{short(delta)} (exactly {delta})"),
            ("neighbours", f"tables that differ {differing}; the number of {many} is {known}"),
            ("unit of privacy", f"{_unit(model)} of the table"),
            (many, f"about {model.n}, as told or declared" if model.unit.added else str(model.n)),
            ("random bits", "secret, from the operating system" if model.secure else "SEEDED"),
            ("proved by", f"{by} composition, exact"),
            *_charged(asked),
        )
    )
    odds = "between being in the table or not" if model.unit.added else "between any two values"
    yield Text(
        f"In words: whatever was believed about {_unit(model)} before, its odds {odds} change by a "
        f"factor of at most {factor:.4g} when these rules are seen{up_to}. This holds for every "
        "table, every row, and whatever else is known."
    )


def _unit(model: Model) -> str:
    if model.cost is None:
        return f"the labels of {model.unit.whose}, not the features,"
    return model.unit.whose


def _charged(asked: Asked) -> Iterator[tuple[str, str]]:
    if asked.dataset is not None:
        by = f", by {asked.analyst}" if asked.analyst else ""
        yield "charged to", f"the ledger's data set {asked.dataset}{by}"


def _groups(model: Model) -> Iterator[Block]:
    if model.unit.person:
        given = "the mean of their rows" if model.weight > 1 else "one of their rows, drawn"
        kept = "All rows" if model.cost else "The labels of all rows"
        yield Text(
            f"{kept} of a person are protected together, whatever their number. Persons are told "
            f"apart by {', '.join(model.unit.person)}; rows that lack it are one person's. Each "
            f"gives as much as any other, {given}: shares of rows are about a random row of a "
            "random person."
        )
        return
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
    yield Text("To protect people, learn with --person and the columns that tell them apart.")


def _accuracy(model: Model, asked: Asked) -> Iterator[Block]:
    if model.accuracy is None:
        yield Text(f"Nothing is promised: {why_nothing(model)}.")
    else:
        above = " above that of the best rule of the class" if model.agnostic else ""
        many = f" for all {len(model.labels)} labels at once" if len(model.labels) > 1 else ""
        explained = "" if model.agnostic else ", and some rule of the class explains the labels"
        given = explained + if_best(model.best_error, so_far=", and") + if_declared(model)
        yield Text(
            f"The error is at most {short(model.accuracy.alpha)}{above}{many}, with probability at "
            f"least {short(1 - model.accuracy.beta)}, if the {model.unit.many} are independent "
            f"draws{given}."
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
    yield "which is", f"{_clipped(str(model.concepts))}{rules_in_class(model)}"
    yield "features", ", ".join(model.features)
    yield "labels", ", ".join(model.labels)
    yield "learner", model.learner
    if model.why:
        yield "chosen", model.why
    yield "ε and δ for all labels", f"{short(asked.epsilon)} and {short(asked.delta)}"
    yield "labels may be", "arbitrary" if model.agnostic else "explained by a rule of the class"
    if not asked.saved:
        yield "error asked for", "none" if asked.alpha is None else short(asked.alpha)
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


def _sql(model: Model) -> Iterator[Block]:
    yield Text("For DuckDB; data is the table.")
    yield CodeBlock(query(model, "data"))


def _public(model: Model) -> Iterator[Block]:
    rows = "" if model.unit.added else "the number of rows, "
    yield Text(
        f"These are not protected, since they were known before the table was read: {rows}the "
        "class, the learner, the budget, and the declared domain of each column."
    )
    if model.cost is None:
        yield Text("Nor are the features of any row: this release takes them to be public.")
    if model.public:
        used = "learned from with their labels" if model.public_labelled else "used without labels"
        yield Text(f"Nor are {model.public} more rows, which were declared to be public: {used}.")
    schema = Schema.parse(model.schema)
    asked = [name for name, _ in model.outcomes] or model.labels
    named = [name for name in schema.names if name in (*model.features, *asked)]
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
