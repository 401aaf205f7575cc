"""What a page may ask for, by name: each task is a function of fields, imported when it is used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace

_HERE = "tacit.interfaces.page"
_FREE = {
    "plan.first": ("planning", "first"),
    "plan.one": ("planning", "one"),
    "plan.other": ("planning", "other"),
    "plan.advice": ("planning", "advice"),
    "plan.table": ("table_planning", "planned"),
    "plan.simulate": ("research.simulating", "simulated"),
    "dimensions.find": ("research.dimensions", "found"),
    "optimum.find": ("research.best", "found"),
    "theorems.list": ("research.statements", "listed"),
    "attack.run": ("research.attacking", "attacked"),
    "schema.read": ("columns", "read_schema"),
}
_IN_WORKSPACE = {
    "learn.choices": ("learning", "choices"),
    "learn.columns": ("learning", "columns"),
    "learn.preview": ("learning", "preview"),
    "learn.run": ("learning", "run"),
    "learn.pack": ("models", "pack"),
    "data.count": ("counting", "counted"),
    "data.rows": ("counting", "made_up"),
    "compare.two": ("models", "compared"),
    "schema.of": ("models", "schema_of_run"),
    "budget.show": ("budget", "budget"),
    "budget.open": ("budget", "open_budget"),
}
TASKS = frozenset({*_FREE, *_IN_WORKSPACE})


def perform(
    task: str, given: object, workspace: Workspace, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Do one task; `tell` hears each step."""
    module, function = (_FREE | _IN_WORKSPACE)[task]
    asked = Fields(given)
    found = getattr(import_module(f"{_HERE}.{module}"), function)
    answer = found(asked, tell, workspace) if task in _IN_WORKSPACE else found(asked, tell)
    return dict(answer)
