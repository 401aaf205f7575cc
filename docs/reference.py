"""The reference: every public name with its signature and its docstring, as Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

PACKAGES = (
    "tacit",
    "tacit.data",
    "tacit.data.ledger",
    "tacit.concepts",
    "tacit.statistics",
    "tacit.mechanisms",
    "tacit.learners",
    "tacit.sanitizers",
    "tacit.theory",
    "tacit.core.composition",
)


def reference() -> str:
    """Return the whole page."""
    parts = ["# Reference", "Every public name, package by package, as its docstring tells."]
    parts += [f"- [`{name}`](#{_anchor(name)})" for name in PACKAGES]
    for name in PACKAGES:
        module = import_module(name)
        parts += [f"## {name}", _text(module.__doc__ or "")]
        for entry in module.__all__:
            parts += _entry(entry, getattr(module, entry))
    return "\n\n".join(parts) + "\n"


def _entry(name: str, value: Any) -> Iterator[str]:
    if not callable(value):
        return
    yield f"### {name}"
    yield f"```python\n{name}{_signature(value)}\n```"
    yield _text(inspect.getdoc(value) or "")
    if inspect.isclass(value):
        shown = [
            f"- `{each}`: {(inspect.getdoc(member) or '').splitlines()[0]}"
            for each, member in vars(value).items()
            if not each.startswith("_") and (inspect.getdoc(member) or "") and _ours(member)
        ]
        if shown:
            yield "\n".join(shown)


def _ours(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)


def _signature(value: Any) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(...)"


def _text(docstring: str) -> str:
    """Return a docstring as Markdown: sections in bold, examples as code."""
    text = re.sub(r"^(\w+):\n", r"**\1.**\n", docstring, flags=re.MULTILINE)
    lines: list[str] = []
    within = False
    for line in text.splitlines():
        if line.startswith(">>>") and not within:
            lines.append("```python")
            within = True
        elif within and not line.strip():
            lines.append("```")
            within = False
        lines.append(line if within else line.removeprefix("    "))
    if within:
        lines.append("```")
    return "\n".join(lines)


def _anchor(name: str) -> str:
    return name.replace(".", "")
