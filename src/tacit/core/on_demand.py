"""Packages whose names are imported when they are first asked for."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any


def on_demand(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that imports nothing until a name of it is used.

    What a type checker reads under `if TYPE_CHECKING:` says where each name lives; here the same
    lines are read when a name is first asked for, so that no second list can differ from it.

    `__all__` is read off them, too, where it is not written down.

    >>> on_demand("tacit")("Privacy").__module__
    'tacit.core.privacy'
    """

    @cache
    def places() -> dict[str, str]:
        return dict(_imports(package))

    def attribute(name: str) -> Any:
        if name == "__all__":
            return sorted(places())
        if name not in places():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places()[name]), name)

    return attribute


def _imports(package: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a package says it has, with its module."""
    loader: Any = sys.modules[package].__loader__
    for node in ast.walk(ast.parse(loader.get_source(package))):
        if isinstance(node, ast.ImportFrom) and node.module not in (None, "typing", __name__):
            yield from ((alias.name, node.module) for alias in node.names)
