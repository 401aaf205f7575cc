"""Loops that are compiled when they are first called; nobody waits for Numba before that.

How it works. Importing Numba takes most of a second, and most commands never run a kernel. So
`compiled` only notes the function; what it returns is a `CompiledLoop`, which asks
`tacit.kernels.dispatch` for the machine code at its first call. Kernels call each other: while
Numba compiles the one, it meets the other as a global name and asks for its `_numba_type_`, which
makes that one's dispatcher in turn. So modules of kernels are imported like any others, their
functions are called like any others, and neither order nor place of the imports matters.

Who changes a kernel: delete nothing. Numba keeps machine code beside the source (or in the user's
cache) under the time stamp of the *file* that holds the function; a caller in another file is
compiled anew only if its own file changes, so touch the callers too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from importlib import import_module
from typing import Any


class CompiledLoop:
    """A function that is compiled, without Python's lock, when it is first called.

    >>> CompiledLoop(lambda x: x + 1)(2)
    3
    """

    def __init__(self, function: Callable[..., Any], *, made_by: str = "compiled") -> None:
        update_wrapper(self, function)
        self.function, self._made_by = function, made_by

    @cached_property
    def dispatcher(self) -> Any:
        """What Numba makes of the function; made once."""
        # The one deferred import: `dispatch` imports Numba, and this module is why nobody waits.
        make = getattr(import_module("tacit.kernels.dispatch"), self._made_by)
        return make(self.function)

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees this object inside another kernel."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled loop."""
        return self.dispatcher(*arguments)


def compiled(function: Callable[..., Any]) -> Any:
    """Have a function compiled when it is first called; ask for its stub of types with `Any`.

    >>> compiled(lambda x: x + 1)(2)
    3
    """
    return CompiledLoop(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Have a step of a hot loop compiled into each of its callers.

    To pass an array takes seven registers, so calling a short step may take longer than doing it.

    >>> inlined(lambda x: x + 1)(2)
    3
    """
    return CompiledLoop(function, made_by="inlined")
