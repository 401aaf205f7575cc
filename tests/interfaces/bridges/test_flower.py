"""What runs on a Flower node and at the server, but for Flower itself: see `make demo-flower`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import InvalidArgument, Refused
from tacit.interfaces.bridges.flower import answered, client_app, join
from tests.support.messages import SCHEMA, Houses, rows

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_node_answers_by_its_own_configuration_and_the_server_joins() -> None:
    house, table = Houses.of(1), rows(40)
    question = house.ask("count", by=["ill"], epsilon=60, until=None)
    Path("q.json").write_text(question.dumps())
    Path("s.toml").write_text(SCHEMA.dump())
    Path("house.key").write_text(f"tacit-key-1 private {house.keys[0].private_bytes_raw().hex()}\n")
    lines = [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
    Path("rows.csv").write_text("\n".join([",".join(table), *lines]))
    node: dict[str, Any] = {"rows": "rows.csv", "schema": "s.toml", "key": "house.key"}
    told = answered(question.dumps(), node)
    join(["", told], Path("q.json"), Path("messages"), Path("made.json"))
    assert [path.name for path in Path("messages").iterdir()] == ["1.json"]
    assert str(sum(table["ill"])) in Path("made.json").read_text()
    assert json.loads(told)["n"] == 40


def test_what_a_house_has_not_configured_is_said_and_nothing_is_joined_of_nothing() -> None:
    with pytest.raises(InvalidArgument, match="--node-config must name"):
        answered("{}", {"rows": "rows.csv", "out": "elsewhere"})
    with pytest.raises(Refused, match="not joined"):
        join(["", ""], Path("q.json"), Path("messages"), Path("made.json"))


@pytest.mark.skipif(find_spec("flwr") is not None, reason="Flower is installed here")
def test_flower_is_asked_for_by_name() -> None:
    with pytest.raises(InvalidArgument, match="pip install flwr"):
        client_app()
