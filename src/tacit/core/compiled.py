"""Loops that are compiled when they are first called."""

from __future__ import annotations

from typing import Any

from numba import njit


def compiled(function: Any) -> Any:
    """Compile a function, without holding Python's lock while it runs."""
    return njit(cache=True, nogil=True)(function)
