"""Machine code for kernels, by Numba: the only module that imports it, loaded at the first call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import njit, types
from numba.core import caching
from numba.extending import intrinsic

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


def compiled(function: Callable[..., Any], *, forceinline: bool = False) -> Any:
    """Compile a function that runs without Python's lock; keep the result where there is a place.

    Numba takes the folder of the source, else the user's cache, and refuses when it may write
    neither.
    """
    kernel: Any = njit(nogil=True, forceinline=forceinline)(function)
    try:
        kernel._cache = _Kept(function)  # noqa: SLF001
    except (OSError, RuntimeError):
        return kernel
    return kernel


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each of its callers."""
    return compiled(function, forceinline=True)


def gathered(function: Callable[..., Any]) -> Any:
    """Compile `gather`: by the processor's own instruction where it has one, else as it is written.

    The instruction takes three cycles; the loop that defines it takes some for each bit.
    """
    has_bmi2 = bool(binding.get_host_cpu_features().get("bmi2", False))
    return inlined(_gather_at_once if has_bmi2 else function)


def _extraction(context: Any, word: Any, mask: Any) -> Any:  # noqa: ARG001
    """Emit the instruction PEXT of BMI2."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(64)
        name = "llvm.x86.bmi.pext.64"
        known = builder.module.globals.get(name)
        function = known or ir.Function(builder.module, ir.FunctionType(wide, [wide, wide]), name)
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


_parallel_extract: Any = intrinsic(_extraction)


def _gather_at_once(word: Any, mask: Any) -> Any:
    return _parallel_extract(word, mask)
