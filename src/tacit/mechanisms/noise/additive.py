"""Integers in, noisy integers of the same shape out; nothing wraps around."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import NotExact

Vector = Sequence[int] | NDArray[Any]
"""Integers in a sequence, or an array of integers of any shape."""

SAFE = 1 << 62
LEAST, MOST = -(1 << 63), (1 << 63) - 1


def integers(values: Vector) -> NDArray[Any]:
    """Read integers of any size: int64 where all of them fit, Python integers where they do not.

    >>> integers([1, 2]).dtype, integers([1, 1 << 70]).dtype
    (dtype('int64'), dtype('O'))
    """
    if isinstance(values, np.ndarray) and np.issubdtype(values.dtype, np.signedinteger):
        return values.astype(np.int64, copy=False)
    array = np.asarray(values, dtype=object)
    for value in array.flat:
        if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
            raise NotExact(f"noise is added to integers only, got {type(value).__name__}")
    return _narrow(np.array([int(value) for value in array.flat], dtype=object), array.shape)


def add(values: NDArray[Any], noise: NDArray[Any]) -> NDArray[Any]:
    """Return the sums, as int64 exactly when all of them fit: the type tells no more than they do.

    >>> add(np.array([2**63 - 1]), np.array([1]))
    array([9223372036854775808], dtype=object)
    """
    small = _is_small(values) and _is_small(noise)
    total: NDArray[Any] = values + noise if small else values.astype(object) + noise.astype(object)
    return total if small else _narrow(total.ravel(), values.shape)


def _is_small(array: NDArray[Any]) -> bool:
    return array.dtype != object and bool(
        array.min(initial=0) > -SAFE and array.max(initial=0) < SAFE
    )


def _narrow(flat: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    fits = all(LEAST <= value <= MOST for value in flat)
    return flat.astype(np.int64 if fits else object).reshape(shape)
