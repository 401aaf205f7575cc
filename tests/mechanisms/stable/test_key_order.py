"""The order of keys does not depend on the order of the data."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from tacit.mechanisms.stable.stability_histogram import order

KEYS = [3, Fraction(5, 2), -1.5, "b", "a", b"a", ("a", 1), ("a", "1"), ("a",), None, float("nan")]


def test_every_permutation_is_sorted_alike() -> None:
    expected = [
        -1.5,
        Fraction(5, 2),
        3,
        KEYS[-1],
        "a",
        "b",
        b"a",
        ("a",),
        ("a", 1),
        ("a", "1"),
        None,
    ]
    for turn in range(len(KEYS)):
        assert sorted(KEYS[turn:] + KEYS[:turn], key=order) == expected
    for few in permutations(KEYS[:5]):
        assert sorted(few, key=order) == [-1.5, Fraction(5, 2), 3, "a", "b"]
