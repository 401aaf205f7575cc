"""Columns of frames and arrays as Arrow arrays that the embedded engine can read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.cell import text


def readable(name: str, array: Any) -> Any:
    """Turn an Arrow array into one of a type that DuckDB reads, whatever its values.

    Dictionaries are decoded, half floats widened, long decimals written as text, and text that is
    not UTF-8 is repaired. What a library made up for itself is refused.
    """
    if isinstance(array.type, pa.BaseExtensionType):
        raise _unreadable(name, array.type)
    if pa.types.is_dictionary(array.type) or pa.types.is_run_end_encoded(array.type):
        array = array.cast(array.type.value_type)
    kind = array.type
    if pa.types.is_float16(kind):
        return array.cast(pa.float32())
    if pa.types.is_decimal256(kind):
        return texts(array.to_pylist())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        try:
            return array.cast(pa.large_binary()).cast(pa.large_string())
        except pa.ArrowInvalid:
            return texts(array.cast(pa.large_binary()).to_pylist())
    return array


def texts(cells: Iterable[object]) -> Any:
    """Write cells of any kind as an array of text."""
    return pa.array([text(cell) for cell in cells], type=pa.large_string())


def from_array(name: str, values: Any) -> Any:
    """Turn a column of a NumPy array, or a list, into an Arrow array."""
    if not isinstance(values, np.ndarray):
        return texts(list(values))
    if values.ndim != 1:
        raise InvalidArgument(f"column {name!r} must have one dimension, got {values.ndim}")
    if values.dtype.kind in "OSUV":
        return texts(values.tolist())
    if values.dtype.kind not in "biuf":
        raise _unreadable(name, values.dtype)
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    plain = np.asarray(values)
    if plain.dtype.kind == "f" and plain.dtype.itemsize > 8:
        plain = plain.astype(np.float64)
    return readable(name, pa.array(plain.astype(plain.dtype.newbyteorder("=")), mask=mask))


def from_pandas(name: str, series: Any) -> Any:
    """Turn a pandas series into an Arrow array."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        names = [None, *(text(value) for value in dtype.categories)]
        return texts(names[code + 1] for code in series.cat.codes)
    if isinstance(dtype, np.dtype):
        return from_array(name, series.to_numpy())
    try:
        return readable(name, pa.array(series))
    except UnicodeError:
        return texts(series.tolist())
    except (pa.ArrowException, TypeError):
        raise _unreadable(name, dtype) from None


def _unreadable(name: str, dtype: object) -> InvalidArgument:
    return InvalidArgument(
        f"column {name!r} is stored as {dtype}, which is no number, text or yes and no; convert it"
    )
