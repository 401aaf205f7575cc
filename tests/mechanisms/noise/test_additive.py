"""Reading and adding integers of any size."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.errors import NotExact
from tacit.mechanisms.noise.additive import add, integers

TOP = 2**63 - 1


def test_shapes_and_types_are_kept() -> None:
    assert integers(np.array([[1, 2], [3, 4]])).shape == (2, 2)
    assert integers(np.array([1, 2], dtype=np.int8)).dtype == np.int64
    assert integers(np.array([2**64 - 1], dtype=np.uint64)).tolist() == [2**64 - 1]
    assert integers([]).shape == (0,)
    assert integers(np.array([3, 4], dtype=object)).tolist() == [3, 4]


@pytest.mark.parametrize("value", [[1.0], [True], ["1"], [None], np.array([0.5]), np.array([True])])
def test_what_is_not_an_integer_is_refused(value: object) -> None:
    with pytest.raises(NotExact, match="integers only"):
        integers(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "noise", "total", "kind"),
    [
        (TOP, 1, TOP + 1, object),
        (-TOP - 1, -1, -TOP - 2, object),
        (TOP, -1, TOP - 1, np.int64),
        (1 << 100, -(1 << 100), 0, np.int64),
        (2**62 + 1, 2**62 + 1, 2**63 + 2, object),
        (5, 1 << 90, 5 + (1 << 90), object),
    ],
)
def test_nothing_wraps_and_the_type_depends_on_the_sums_only(
    value: int, noise: int, total: int, kind: type
) -> None:
    sums = add(integers([value, 0]), integers([noise, 0]))
    assert [int(s) for s in sums] == [total, 0]
    assert sums.dtype == kind
