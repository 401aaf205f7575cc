"""Questions and messages over Flower: each node runs `tacit site`, and the server `tacit join`.

Flower carries two texts, the question and a house's message. What a node reads, and which key,
ledger and policy it answers with, its own house says when it starts the node; the server chooses
none of it. A refusal is told to the server as that alone: why stands in the house's own log.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidArgument, Refused
from tacit.workflows.sites.question import SiteQuestion

NEEDED = ("rows", "schema", "key")
OPTIONS = ("schema", "key", "ledger", "dataset", "analyst", "policy", "record", "engine")
"""What a node's configuration may say, as options of `tacit site`; `rows` are its files."""
PAUSE = 0.5
"""Seconds between two looks at which nodes are there."""


def client_app() -> Any:
    """Return the `ClientApp` of a house, which answers one question a query.

    The node's configuration names `rows`, a path or glob, and options of `tacit site`: flower-
    supernode --node-config 'rows="north.csv" schema="s.toml" key="north.key"'.
    """
    app = _flower("flwr.clientapp").ClientApp()

    @app.query()  # type: ignore[untyped-decorator]
    def answer(message: Any, context: Any) -> Any:
        question = message.content["question"]["text"]
        told = answered(str(question), context.node_config)
        return _message(told, "message", reply_to=message)

    return app


def server_app() -> Any:
    """Return the `ServerApp` of whoever asks: it sends a question to all nodes, and joins answers.

    The run's configuration names a `question`, a folder for `messages`, the file `out` that is made
    of them, and for how many seconds to `wait` for houses.
    """
    app = _flower("flwr.serverapp").ServerApp()

    @app.main()  # type: ignore[untyped-decorator]
    def main(grid: Any, context: Any) -> None:
        run = context.run_config
        text, wait = Path(run["question"]).read_text(), float(run["wait"])
        nodes = _nodes(grid, len(SiteQuestion.loads(text).sites), wait)
        sent = [
            _message(text, "question", dst_node_id=node, message_type="query") for node in nodes
        ]
        replies = grid.send_and_receive(sent, timeout=wait)
        told = [str(each.content["message"]["text"]) for each in replies if each.has_content()]
        join(told, Path(run["question"]), Path(run["messages"]), Path(run["out"]))

    return app


def answered(question: str, node: Mapping[str, Any]) -> str:
    """Return the message of a house, or nothing where it refuses; why goes to its own log."""
    if missing := [name for name in NEEDED if name not in node]:
        raise InvalidArgument(f"--node-config must name {', '.join(NEEDED)}; there is no {missing}")
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder) / "question.json", Path(folder) / "message.json"
        asked.write_text(question)
        own = [part for name in OPTIONS if name in node for part in (f"--{name}", str(node[name]))]
        words: list[str | Path] = [
            "site",
            str(node["rows"]),
            "--question",
            asked,
            "--out",
            out,
            *own,
        ]
        return out.read_text() if _tacit(words) else ""


def join(told: Sequence[str], question: Path, messages: Path, out: Path) -> None:
    """Write all messages into a folder, and join them; what is missing `tacit join` says."""
    messages.mkdir(parents=True, exist_ok=True)
    paths = [messages / f"{place}.json" for place, text in enumerate(told) if text]
    for path, text in zip(paths, filter(None, told), strict=True):
        path.write_text(text)
    if not paths or not _tacit(["join", *paths, "--question", question, "--out", out]):
        raise Refused("the messages were not joined; the log says why")


def _tacit(words: Sequence[str | Path]) -> bool:
    """Run the command, which writes to the log of this process; return whether it did it."""
    command = [sys.executable, "-m", "tacit", "--quiet", *map(str, words)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)  # noqa: S603
    return done.returncode == 0


def _nodes(grid: Any, many: int, wait: float) -> list[int]:
    """Return who is there, once there are as many nodes as houses that are asked."""
    last = time.monotonic() + wait
    while len(nodes := list(grid.get_node_ids())) < many:
        if time.monotonic() > last:
            raise Refused(f"{many} houses are asked, and {len(nodes)} nodes are there")
        time.sleep(PAUSE)
    return nodes


def _message(text: str, name: str, **whom: Any) -> Any:
    flwr = _flower("flwr.app")
    return flwr.Message(flwr.RecordDict({name: flwr.ConfigRecord({"text": text})}), **whom)


def _flower(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise InvalidArgument("Flower is not installed: pip install flwr") from None
