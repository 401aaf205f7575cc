"""The ledger of a workspace: what is left for a table, and the opening of its account."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data.ledger import Cap, DataSet, Ledger
from tacit.interfaces.page.columns import schema_of
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace

Tell = Callable[[str], None]


def budget(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Say what is left for a table."""
    return _left(workspace, workspace.table(asked.text("table")).name)


def open_budget(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Open the account of a table, or let it be read by another schema from the same account.

    A cap that was set is not changed from the page; the ledger's owner has `tacit ledger grant`.
    """
    name = workspace.table(asked.text("table")).name
    schema = schema_of(asked)
    if not workspace.ledger.exists():
        Ledger.create(workspace.ledger)
    ledger = Ledger(workspace.ledger)
    known = _find(ledger, name)
    if known is None:
        cap = Cap(asked.number("cap_epsilon"), asked.number("cap_delta", default="0"))
        if cap.epsilon > 1000:
            raise InvalidArgument("a cap above ε = 1000 protects nobody; usual caps are 1 to 10")
    else:
        cap = known.account.caps[""]
    ledger.grant(name, schema, cap)
    return _left(workspace, name)


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
    }


def _find(ledger: Ledger, name: str) -> DataSet | None:
    return next((each for each in ledger.datasets() if each.name == name), None)
