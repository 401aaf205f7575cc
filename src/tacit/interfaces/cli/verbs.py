"""The verbs of the command, each imported only when it is used: help and version cost no engine."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

VERBS = {
    "plan": "Say how many rows are needed, which learner needs fewest, and what no learner can do.",
    "learn": "Learn private predictors from a table, and measure them on rows they never saw.",
    "learners": "Show all learners: their class, kind of privacy, properness, theorem and cost.",
    "predict": "Predict the labels of a table, one line for each of its rows, in their order.",
    "measure": "Tell privately how often a model is right on rows that it was not learned from.",
    "sql": "Write the model as a SQL query over the raw columns, for one of four servers.",
    "report": "Write the report of a model: what it says, how good it is, and what it cost.",
    "dims": "Compute the dimensions of a class, its representations and its protocols.",
    "convert": "Turn a learner into a representation, that into a protocol, that into a learner.",
    "optimum": "Compute the best private learner of a small class, and prove that none is better.",
    "count": "Count rows by columns, with means and quantiles, each with an interval.",
    "sanitize": "Make a synthetic table that answers all queries of a class within an error.",
    "quantile": "Tell a private quantile of a column, such as its median.",
    "optimise": "Choose a private assignment for a table of clauses, or a point amid points.",
    "attack": "Fingerprint a learner of many labels, and show who was in its data.",
    "audit": "Prove a privacy claim exactly, or refute it.",
    "ask": "Pose a public question to several houses, which answer with one message each.",
    "site": "Answer a question from this house's own rows: one signed message of noisy counts.",
    "join": "Check the messages of all houses, add them up, and make what was asked for.",
    "ledger": "Keep the privacy budgets of data sets: who spent what, and what is left.",
    "key": "Make and show the key that signs what leaves the house, and masks for its messages.",
    "policy": "Say what the house lets out, and check it.",
    "pack": "Pack a model with its record, card, SQL, policy, ledger and checker, signed.",
    "bounds": "Show the papers' tables: formulas, theorems, and our numbers for your parameters.",
    "theorem": "Say what a theorem of the papers states, and where it is implemented and proved.",
    "simulate": "Run a learner on hard and random populations, and count how often it fails.",
    "schema": "Declare the public domain of each column.",
    "explain": "Say what a word means, in one or two sentences, and where to read on.",
    "explore": "Open a local web page: plan, learn, dimensions and attacks with sliders and plots.",
}
"""What each verb does, as the first line of its own help says it."""

COMPLETION = "tacit.interfaces.cli.options.completion"

_MODULES = {
    "plan": "theory.plan",
    "learn": "tables.learn",
    "learners": "theory.learners",
    "predict": "tables.predict",
    "measure": "tables.measure",
    "sql": "tables.predict",
    "report": "report",
    "dims": "theory.dims",
    "convert": "theory.convert",
    "optimum": "theory.optimum",
    "count": "tables.count",
    "sanitize": "tables.sanitize",
    "quantile": "tables.quantile",
    "optimise": "tables.optimise",
    "attack": "checks.attack",
    "audit": "checks.audit",
    "ask": "sites.ask",
    "site": "sites.site",
    "join": "sites.join",
    "ledger": "tables.ledger",
    "key": "key",
    "policy": "policy",
    "pack": "pack",
    "bounds": "theory.bounds",
    "theorem": "theory.theorem",
    "simulate": "checks.simulate",
    "schema": "tables.schema",
    "explain": "explain",
    "explore": "explore",
}
"""Where each verb is, below this folder."""


def load(name: str) -> Any:
    """Import a verb: the function of its name, or the group `app` of the module of its name."""
    module = import_module(f"tacit.interfaces.cli.{_MODULES[name]}")
    if hasattr(module, "app"):
        return get_command(module.app)
    alone = typer.Typer(add_completion=False)
    alone.command(name)(getattr(module, name))
    return get_command(alone)


class Verbs(TyperGroup):
    """A group that lists its verbs by one line each, and loads the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {name: TyperCommand(name, help=told) for name, told in VERBS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the verb that is called, loaded; `learn --list` is `learners`, whatever else."""
        name, _, rest = super().resolve_command(ctx, args)
        if name == "learn" and "--list" in rest:
            name, rest = "learners", [word for word in rest if word == "--json"]
        verb = load(str(name))
        if ctx.resilient_parsing:  # a shell asks what may follow
            for parameter in verb.params:
                import_module(COMPLETION).complete(parameter)
        return name, verb, rest
