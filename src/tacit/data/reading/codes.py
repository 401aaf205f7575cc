"""From cells to codes: whatever the type of an array, each cell is read by itself.

`Column.code` is the definition, for one cell of any kind. `codes_of` is the same for an array of
Arrow's: numbers are read together by `Column.codes`, whose elements do not see each other; of
everything else the different cells are read one by one by the definition. No type is refused and
none is guessed: one cell can change the type of a whole column (a gap makes integers floats, and
nothing but gaps makes a type of its own), so a type must not change what the other cells say.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from tacit.data.persons.identity import Identity
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.cell import EPOCH
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.kernels.reading.decimals import decimals
from tacit.kernels.reading.identifiers import identifiers

Codes = NDArray[np.int64]
_UUID = "arrow.uuid"
_PRECISION = 38
"""Digits of the longest decimal of 128 bits."""
_BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}
_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_FAR = 4 * 10**11
"""Seconds from 1970 on that lie beyond the years 1 to 9999."""


def codes_of(column: Column | Identity, cells: Any) -> Codes:
    """Return the code of each cell of an Arrow array.

    Guarantee:
        Element i is `column.code` of cell i, whatever the other cells are.

    >>> codes_of(Integer(0, 120), pa.array([41.9, None, float("nan"), 300])).tolist()
    [41, 0, 0, 120]
    >>> codes_of(Integer(0, 120), pa.array(["41", " 7.0 ", "1e2", "x", "-3"])).tolist()
    [41, 7, 100, 0, 0]
    """
    kind, held = cells.type, pa.types
    if held.is_dictionary(kind):
        return _of_dictionary(column, cells)
    if held.is_run_end_encoded(kind):
        rows = np.arange(cells.offset, cells.offset + len(cells))
        runs = np.searchsorted(cells.run_ends.to_numpy(), rows, side="right")
        return codes_of(column, cells.values)[runs]
    if getattr(kind, "extension_name", "") == _UUID:
        return _distinct(column, cells.storage, lambda held: UUID(bytes=held))
    if temporal(kind):
        return _of_days(column, days_of(cells))
    if isinstance(column, Date) and not textual(kind):
        return np.full(len(cells), column.code(None), dtype=np.int64)
    if held.is_integer(kind) or held.is_float64(kind):
        return _of_numbers(column, cells)
    if held.is_float16(kind) or held.is_float32(kind):
        return _of_short_floats(column, cells)
    if held.is_boolean(kind):
        return _taken(column, _one_by_one(column, (False, True)), cells.cast(pa.uint8()))
    if textual(kind):
        return _of_texts(column, cells.cast(pa.large_binary()))
    if held.is_decimal32(kind) or held.is_decimal64(kind):
        return _distinct(column, cells.cast(pa.decimal128(_PRECISION, kind.scale)))
    if held.is_decimal(kind) and kind.scale > kind.precision:  # which Python cannot be handed
        return _of_texts(column, cells.cast(pa.string()).cast(pa.large_binary()))
    if held.is_decimal(kind):
        return _distinct(column, cells)
    return np.full(len(cells), column.code(None), dtype=np.int64)


def plain(kind: Any) -> bool:
    """Whether an Arrow type is of numbers, texts, truth values or days: others are missing.

    >>> plain(pa.int8()), plain(pa.string()), plain(pa.time32('s')), plain(pa.list_(pa.int8()))
    (True, True, False, False)
    """
    held = pa.types
    if held.is_dictionary(kind) or held.is_run_end_encoded(kind):
        return plain(kind.value_type)
    numeric = held.is_integer(kind) or held.is_floating(kind) or held.is_decimal(kind)
    known = numeric or held.is_boolean(kind) or textual(kind) or temporal(kind)
    return bool(known or getattr(kind, "extension_name", "") == _UUID)


def _of_dictionary(column: Column | Identity, cells: Any) -> Codes:
    """Read what a dictionary holds, or, if it is longer than the array, the part that is used."""
    held, places = cells.dictionary, cells.indices
    if len(held) > len(places):
        used = places.dictionary_encode()
        held, places = held.take(used.dictionary), used.indices
    return _taken(column, codes_of(column, held), places)


def _of_numbers(column: Column | Identity, cells: Any) -> Codes:
    numbers = (cells.fill_null(0) if cells.null_count else cells).to_numpy()
    with np.errstate(all="ignore"):  # a NaN that signals would be heard, and it is a cell
        if isinstance(column, Category) or (isinstance(column, Bits) and not column.usual):
            codes = _by_bits(column, numbers)  # by their texts, as one of some words
        else:
            codes = column.codes(numbers)
    return _missing(column, codes, cells)


def _of_short_floats(column: Column | Identity, cells: Any) -> Codes:
    """Read 32 bits by their shortest decimal, which Arrow writes and reads cell by cell."""
    wide = cells.cast(pa.float32())
    if not isinstance(column, Integer | Real):
        numbers = (wide.fill_null(0) if wide.null_count else wide).to_numpy()
        return _missing(column, _by_bits(column, numbers), wide)
    return _of_numbers(column, wide.cast(pa.string()).cast(pa.float64()))


def _of_texts(column: Column | Identity, cells: Any) -> Codes:
    if isinstance(column, Identity):
        codes, left = identifiers(cells)
        if left.any():
            codes[left] = _distinct(column, cells.filter(pa.array(left)))
        return codes
    if not isinstance(column, Integer | Real):
        return _distinct(column, cells)
    numbers, left = decimals(cells)
    codes = column.codes(numbers)
    if left.any():
        codes[left] = _distinct(column, cells.filter(pa.array(left)))
    return codes


def days_of(cells: Any) -> Codes:
    """Return dates, or the dates of times in the zone of their type, as `day` does; 0 is none."""
    kind = cells.type
    wide = cells.view(pa.int32() if pa.types.is_date32(kind) else pa.int64())
    numbers = (wide.fill_null(0) if wide.null_count else wide).to_numpy().astype(np.int64)
    if pa.types.is_timestamp(kind):
        seconds = np.clip(numbers // _SECOND[kind.unit], -_FAR, _FAR)
        numbers = _local(seconds, kind.tz) // 86_400
    elif pa.types.is_date64(kind):
        numbers = numbers // 86_400_000
    inside = (numbers > -EPOCH) & (numbers <= date.max.toordinal() - EPOCH)
    if wide.null_count:
        inside &= wide.is_valid().to_numpy(zero_copy_only=False)
    return np.where(inside, numbers + EPOCH, 0)


def _local(seconds: Codes, zone: str | None) -> Codes:
    """Return what clocks of a zone show; a zone that is not known here is UTC."""
    if zone is None:
        return seconds
    try:
        shown = pyarrow.compute.local_timestamp(pa.array(seconds, pa.timestamp("s", zone)))
    except pa.ArrowException:
        return seconds
    return np.asarray(shown.view(pa.int64()).to_numpy())


def _of_days(column: Column | Identity, days: Codes) -> Codes:
    if isinstance(column, Date):
        return column.codes(days)
    different, places = np.unique(days, return_inverse=True)
    cells = [date.fromordinal(each) if each else None for each in different.tolist()]
    return _one_by_one(column, cells)[places]


def _distinct(
    column: Column | Identity, cells: Any, read: Callable[[Any], object] = lambda held: held
) -> Codes:
    """Read the different texts or decimals, told apart by their bytes, one by one."""
    different = cells.dictionary_encode()
    values = [read(held) for held in different.dictionary.to_pylist()]
    return _taken(column, _one_by_one(column, values), different.indices)


def _by_bits(column: Column | Identity, numbers: NDArray[Any]) -> Codes:
    """Read the different numbers one by one; two are the same if all their bits are."""
    bits = np.ascontiguousarray(numbers)
    if bits.dtype.kind == "f":
        bits = bits.view(_BITS[bits.dtype.itemsize])
    different = pa.array(bits).dictionary_encode()
    values = different.dictionary.to_numpy().view(numbers.dtype)
    return _taken(column, _one_by_one(column, values), different.indices)


def _one_by_one(column: Column | Identity, cells: Any) -> Codes:
    return np.fromiter((column.code(cell) for cell in cells), dtype=np.int64, count=len(cells))


def _taken(column: Column | Identity, codes: Codes, indices: Any) -> Codes:
    """Return the codes at some places; where the place is missing, so is the cell."""
    if not len(codes):
        return np.full(len(indices), column.code(None), dtype=np.int64)
    places = (indices.fill_null(0) if indices.null_count else indices).to_numpy()
    return _missing(column, codes[places], indices)


def _missing(column: Column | Identity, codes: Codes, cells: Any) -> Codes:
    if cells.null_count:
        codes[cells.is_null().to_numpy(zero_copy_only=False)] = column.code(None)
    return codes


def temporal(kind: Any) -> bool:
    """Whether an Arrow type is of dates, or of dates with a time of day."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def textual(kind: Any) -> bool:
    """Whether an Arrow type is of texts or bytes."""
    held = pa.types
    return bool(
        held.is_string(kind)
        or held.is_large_string(kind)
        or held.is_string_view(kind)
        or held.is_binary(kind)
        or held.is_large_binary(kind)
        or held.is_binary_view(kind)
        or held.is_fixed_size_binary(kind)
    )
