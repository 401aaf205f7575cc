"""The ledger of a workspace: what is left for a table, and the opening of its account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument
from tacit.core.unit import Unit
from tacit.data import Schema
from tacit.data.ledger import Cap, DataSet, Ledger
from tacit.interfaces.output.files import read_as
from tacit.interfaces.page.columns import MOST_COLUMNS, schema_of
from tacit.interfaces.page.run_steps import CHARGING, COUNTING, DRAWING
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.workflows.charging import Charge
from tacit.workflows.releasing.policy import Intended, Policy

POLICY = "policy.toml"
"""The clauses of a workspace, if it has some."""

Tell = Callable[[str], None]


def budget(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Say what is left for a table."""
    return _left(workspace, workspace.table(asked.text("table")).name)


def open_budget(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Open the account of a table, or let it be read by another schema from the same account.

    A cap that was set is not changed from the page; the ledger's owner has `tacit ledger grant`.
    Who is protected, one row or a person with all rows, is fixed when it is opened.
    """
    name = workspace.table(asked.text("table")).name
    schema = schema_of(asked)
    if not workspace.ledger.exists():
        Ledger.create(workspace.ledger)
    ledger = Ledger(workspace.ledger)
    known, unit = _find(ledger, name), None
    if known is None:
        unit = Unit(asked.texts("person", most=MOST_COLUMNS, longest=500))
        cap = Cap(asked.number("cap_epsilon"), asked.number("cap_delta", default="0"))
        if cap.epsilon > 1000:
            raise InvalidArgument("a cap above ε = 1000 protects nobody; usual caps are 1 to 10")
    else:
        cap = known.account.caps[""]
    ledger.grant(name, schema, cap, unit=unit)
    return _left(workspace, name)


def policy_of(workspace: Workspace) -> Policy | None:
    """Return the policy of a workspace, if it has one."""
    path = workspace.folder / POLICY
    return read_as(path, Policy.parse, option=POLICY) if path.exists() else None


@contextmanager
def charging(
    workspace: Workspace,
    name: str,
    schema: Schema,
    wanted: Intended,
    question: dict[str, Any],
    tell: Tell,
) -> Iterator[Charge]:
    """Charge a release from a table to its account, if the policy of the workspace allows it.

    Each step is told before it is begun, so that a run that is broken off knows what it has spent.
    """
    if not workspace.ledger.exists():
        raise InvalidArgument("open a budget for this table first")
    ledger, policy = Ledger(workspace.ledger), policy_of(workspace)
    kept = None if policy is None else policy.keep(ledger, name, wanted, question)
    with ledger.charging(name, schema, rule=kept) as reserve:
        tell(COUNTING)

        def charge(cost: ReleaseCost, delta: Fraction, purpose: str, unit: Unit) -> None:
            tell(CHARGING)
            reserve(cost, delta, purpose, unit)
            tell(DRAWING)

        yield charge


def _left(workspace: Workspace, name: str) -> dict[str, Any]:
    known = _find(Ledger(workspace.ledger), name) if workspace.ledger.exists() else None
    if known is None:
        return {"open": False, "table": name}
    cap, spent = known.account.caps[""], known.account.total
    return {
        "open": True,
        "table": name,
        "cap_epsilon": float(cap.epsilon),
        "spent_epsilon": float(spent.epsilon),
        "left_epsilon": float(max(Fraction(0), cap.epsilon - spent.epsilon)),
        "cap_delta": float(cap.delta),
        "spent_delta": float(spent.delta),
        "accounting": cap.accounting,
        "pending": known.pending,
        "protects": known.account.unit.said,
    }


def _find(ledger: Ledger, name: str) -> DataSet | None:
    return next((each for each in ledger.datasets() if each.name == name), None)
