"""The concepts of a table as Python integers: bit x for point x."""

from __future__ import annotations

from tacit.kernels.bits.bit_columns import transpose
from tacit.theory.solving.incidence import Incidence


def bit_rows(table: Incidence) -> list[int]:
    """Return one integer a concept.

    >>> import numpy as np
    >>> bit_rows(Incidence.of(np.array([[0, 1, 1], [1, 0, 0]])))
    [6, 1]
    """
    rows = transpose(table.columns, table.n)
    return [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows]


def bit_columns(table: Incidence) -> list[int]:
    """Return one integer a point, bit c for concept c.

    >>> import numpy as np
    >>> bit_columns(Incidence.of(np.array([[0, 1, 1], [1, 0, 0]])))
    [2, 1, 1]
    """
    return [int.from_bytes(column.astype("<u8").tobytes(), "little") for column in table.columns]
