"""Loops that are compiled when they are first called; importing Numba takes most of a second."""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.core import caching

_Cache: Any = caching.FunctionCache


class _Kept(_Cache):  # type: ignore[misc]
    """What was compiled, on the disk: it saves time or nothing, and is never a reason to stop.

    The disk may be full by now and a file damaged in any way; then the function is compiled anew.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled before, or None."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if it can be kept."""
        try:
            super().save_overload(sig, data)
        except Exception:
            self.disable()


def compiled(function: Any) -> Any:
    """Compile a function that runs without Python's lock; keep the result where there is a place.

    Numba takes the folder of the source, else the user's cache, and refuses when it may write
    neither.

    >>> compiled(lambda x: x + 1)(2)
    3
    """
    kernel: Any = njit(nogil=True)(function)
    try:
        kernel._cache = _Kept(function)  # noqa: SLF001
    except (OSError, RuntimeError):
        return kernel
    return kernel
