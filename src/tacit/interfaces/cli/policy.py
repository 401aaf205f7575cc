"""`tacit policy`: what the house lets out, as a file of clauses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.data.ledger import Ledger
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.output.files import read_as
from tacit.learners.contract.model import Model
from tacit.workflows.releasing.policy import TEMPLATE, Kept, Policy, intended
from tacit.workflows.releasing.record import of_model

app = typer.Typer(
    help="Say what the house lets out, and check it.", no_args_is_help=True, add_completion=False
)
HINT = "; write one with: tacit policy template > policy.toml"


@app.command()
def template() -> None:
    """Write a policy to begin with, every clause with its meaning.

    Example:

      tacit policy template > policy.toml
    """
    typer.echo(TEMPLATE, nl=False)


@app.command()
def check(
    policy: Annotated[Path, typer.Argument(help="The policy.")],
    model: Annotated[Path | None, typer.Argument(help="A model written by tacit learn.")] = None,
    *,
    as_json: Json = False,
) -> None:
    """Check a policy, or whether a model keeps it; status 3 if it does not.

    What the ledger adds up is checked by the verbs that charge it, and by tacit pack.

    Examples:

      tacit policy check policy.toml

      tacit policy check policy.toml model.json
    """
    read = read_policy(policy)
    if model is not None:
        read.check(of_model(read_as(model, Model.loads, option="MODEL")))
    told = {"policy": str(policy), "clauses": sorted(read.clauses), "kept": True}
    said = f"The policy has {len(read.clauses)} clauses"
    said += "" if model is None else f", and {model} keeps them"
    typer.echo(json.dumps(told) if as_json else said)


def read_policy(path: Path) -> Policy:
    """Read the policy that an option names."""
    return read_as(path, Policy.parse, option="--policy", hint=HINT)


def check_before(
    path: Path | None,
    account: tuple[Path | None, str | None, str],
    asked: dict[str, Any],
    *,
    epsilon: str,
    delta: str = "0",
    **facts: Any,
) -> Kept | None:
    """Refuse, before the table is read, what the policy of `--policy` forbids.

    `account` is the ledger, its data set and who spends. What the charge is to keep is returned.
    """
    if path is None:
        return None
    file, dataset, analyst = account
    ledger, wanted = None if file is None else Ledger(file), intended(epsilon, delta, **facts)
    return read_policy(path).keep(ledger, dataset, wanted, asked, analyst)
