"""Columns of frames and arrays as Arrow arrays, cell by cell as they are.

Whatever a library cannot hand over in a type of Arrow's is written down as text, each cell by
itself; what has no plain text is missing. No type is refused: see `tacit.data.reading.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.schema.cell import text, whole_days


def check_types(frame: nw.DataFrame[Any]) -> None:
    """Refuse decimals of a negative scale, of which narwhals has no type, by their type alone."""
    for series in frame.iter_columns():
        try:
            _ = series.dtype
        except ValueError:
            raise InvalidArgument(
                f"column {series.name!r} is stored as decimals of a negative scale, which are not "
                "read: cast it, say to float64 or decimal128(38, 0)"
            ) from None


def texts(cells: Iterable[object]) -> Any:
    """Write cells of any kind as an array of text."""
    return pa.array([text(cell) for cell in cells], type=pa.large_string())


def from_array(name: str, values: Any) -> Any:
    """Turn a column of a NumPy array, or a list, into an Arrow array."""
    if not isinstance(values, np.ndarray):
        return texts(list(values))
    if values.ndim != 1:
        raise InvalidArgument(f"column {name!r} must have one dimension, got {values.ndim}")
    if values.dtype.kind in "OSTUV":
        return texts(values.tolist())
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    values = np.asarray(values)
    if values.dtype.kind == "c":  # one complex cell makes all of them complex
        values = np.where(values.imag == 0, values.real, values.real.dtype.type(np.nan))
    if values.dtype.kind == "M":
        return pa.array(whole_days(values), mask=mask)
    if values.dtype.kind not in "biuf":
        return pa.nulls(len(values))
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        with np.errstate(all="ignore"):  # what is beyond a float64 is infinite, without a word
            values = values.astype(np.float64)
    return pa.array(values.astype(values.dtype.newbyteorder("=")), mask=mask)


def from_pandas(name: str, series: Any) -> Any:
    """Turn a pandas series into an Arrow array."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        named = from_array(name, dtype.categories.to_numpy())
        places = pa.array(series.cat.codes.to_numpy(), mask=(series.cat.codes < 0).to_numpy())
        return pa.DictionaryArray.from_arrays(places, named)
    if isinstance(dtype, np.dtype):
        return from_array(name, series.to_numpy())
    try:
        return pa.array(series)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError):
        return texts(series.tolist())
