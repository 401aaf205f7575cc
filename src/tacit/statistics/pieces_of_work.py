"""Independent pieces of work, wherever they are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Spread = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]
"""Calls a function for each tuple of arguments; the results come in order, each once."""


def in_turn(function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Do one piece after the other, here.

    >>> in_turn(pow, [(2, 3), (3, 2)])
    [8, 9]
    """
    return [function(*task) for task in tasks]
