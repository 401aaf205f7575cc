"""From bounds, as estimators take them, to a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacit.core import check
from tacit.core.errors import InvalidArgument, TacitError
from tacit.data import Column, Integer, Real, Schema

WAY_OUT = (
    "bounds must be declared, from public knowledge and not from the data: bounds=(0, 120) for all "
    'features, a list of such pairs, {"age": (0, 120)}, or schema=... for columns of any type'
)


def from_bounds(
    bounds: Any, step: Any, names: Sequence[str], chosen: Sequence[int], *, parts: int
) -> Schema:
    """Return the domains of the chosen columns; without a step a range is cut into equal parts.

    With a step, low, low + step, ... and high are the values that a rule can speak of.

    >>> schema = from_bounds({"age": (0, 120)}, 1, ["age", "bmi"], [0], parts=256)
    >>> schema["age"]
    Integer(low=0, high=120, outside='clip')
    >>> from_bounds([(0, 1), (-8, 8)], None, ["x0", "x1"], [1], parts=4)["x1"]
    Real(low=Fraction(-8, 1), high=Fraction(4, 1), step=Fraction(4, 1), outside='clip')
    """
    if bounds is None:
        raise InvalidArgument(WAY_OUT)
    return Schema(
        {
            names[place]: _column(
                names[place],
                _pair(_of(bounds, names, place, role="bounds", one=_is_pair)),
                _of(step, names, place, role="step", one=_is_number),
                parts,
            )
            for place in chosen
        }
    )


def _column(name: str, pair: tuple[Any, Any], step: Any, parts: int) -> Column:
    try:
        low, high = check.exact(low=pair[0]), check.exact(high=pair[1])
        if high <= low:
            raise InvalidArgument(f"high must be greater than low = {pair[0]}, got {pair[1]}")
        if step is None:
            width = (high - low) / parts
            return Real(low, high - width, width)
        if check.positive(step=step) == 1 and low.denominator == high.denominator == 1:
            return Integer(int(low), int(high))
        return Real(low, high, step)
    except TacitError as error:
        raise type(error)(f"bounds of {name!r}: {error}") from None


def _of(value: Any, names: Sequence[str], place: int, *, role: str, one: Any) -> Any:
    """Return what is declared for one column: by name, by place, or for all."""
    if isinstance(value, Mapping):
        if names[place] not in value:
            raise InvalidArgument(f"{role} must be declared for column {names[place]!r} too")
        return value[names[place]]
    if one(value):
        return value
    listed = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InvalidArgument(f"{role} cannot be read from {type(value).__name__}; {WAY_OUT}")
    if len(listed) != len(names):
        raise InvalidArgument(
            f"{role} must be declared for each feature: there are {len(listed)} for {len(names)}"
        )
    return listed[place]


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, str) or (np.ndim(value) == 0 and not _many(value))


def _is_pair(value: Any) -> bool:
    return _many(value) and len(value) == 2 and all(map(_is_number, value))


def _many(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _pair(value: Any) -> tuple[Any, Any]:
    if not _is_pair(value):
        raise InvalidArgument(f"bounds of a feature must be a pair (low, high), got {value!r}")
    low, high = value
    return low, high


def covers(declared: Any, name: str) -> bool:
    """Whether something is declared for a column: by name, or for all alike.

    >>> covers({"age": (0, 120)}, "bmi"), covers((0, 120), "bmi")
    (False, True)
    """
    return not isinstance(declared, Mapping) or name in declared


def equal_parts(cells: int, columns: int, most: int) -> int:
    """Return into how many parts each of some columns can be cut, if all cells are so few.

    >>> [equal_parts(1 << 16, columns, 256) for columns in (1, 2, 4, 40)]
    [256, 256, 16, 2]
    """
    return max(2, min(most, int(cells ** (1 / columns) + 1e-6)))
