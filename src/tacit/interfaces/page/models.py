"""The models of a workspace: listed, compared two by two, and packed for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tacit.core.bounded_file import read_text
from tacit.core.errors import TacitError
from tacit.data.ledger import Ledger
from tacit.interfaces.output.files import read_as, whole
from tacit.interfaces.page.budget import POLICY
from tacit.interfaces.page.columns import described
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.interfaces.page.telling import told
from tacit.interfaces.report.packing import pack_of
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.statement import measured
from tacit.workflows.releasing.pack import new_key, read_key
from tacit.workflows.releasing.policy import FORMAT

Tell = Callable[[str], None]
KEY, PUBLIC_KEY = "signing.key", "signing.key.pub"
NO_POLICY = f'# No policy was in the workspace: nothing is forbidden.\nformat = "{FORMAT}"\n'


def said_of(workspace: Workspace, run: str) -> str:
    """Say in a few words what a run has learned."""
    try:
        read = json.loads(read_text(workspace.output(run, "model.json")))
        return f"{', '.join(read['labels'])[:60]}, by {read['learner']}, from {read['n']} rows"
    except (TacitError, ValueError, LookupError, TypeError):
        return "a model that cannot be read"


def compared(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Put what is known of two models side by side."""
    return {"models": [_one(workspace, asked.text(name)) for name in ("first", "second")]}


def _one(workspace: Workspace, run: str) -> dict[str, Any]:
    model = read_as(workspace.output(run, "model.json"), Model.loads, option=run)
    stated = measured(model.labels, model.measured, (), model.always) if model.measured else {}
    errors = {
        label: {key: value for key, value in each.items() if key != "told"}
        for label, each in stated.items()
    }
    return told(model) | {"run": run, "features": list(model.features), "errors": errors}


def schema_of_run(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Return the schema of an earlier run, for the form to be filled in with it."""
    return described(read_text(workspace.output(asked.text("run"), "schema.toml")))


def pack(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Pack the model of a run with all that shows its privacy, signed by the workspace's key."""
    path = workspace.output(asked.text("run"), "model.json")
    policy, key = workspace.folder / POLICY, workspace.folder / KEY
    if not key.exists():
        private, public = new_key()
        for name, text in ((KEY, private), (PUBLIC_KEY, public)):
            with whole(workspace.folder / name, private=name == KEY) as file:
                file.write(text)
    raw, shown, _ = pack_of(
        read_as(path, str, option="model.json"),
        read_as(policy, str, option=POLICY) if policy.exists() else NO_POLICY,
        read_as(key, read_key, option=KEY),
        events=Ledger(workspace.ledger).events() if workspace.ledger.exists() else (),
    )
    with whole(path.with_name("release.zip")) as archive:
        archive.buffer.write(raw)
    return {"file": "release.zip", "shown": shown, "policy": policy.exists(), "key": PUBLIC_KEY}
