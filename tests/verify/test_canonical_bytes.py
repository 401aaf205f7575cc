"""All that an object holds: nothing is skipped, nothing falls back on how it is written."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import pytest

from tacit.concepts.line.points import Point
from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.verify.canonical_bytes import canonical_bytes
from tacit.verify.enumeration import Case, verify


@dataclass(frozen=True)
class Quiet:
    """Looks the same and compares equal whatever it hides."""

    said: int
    hidden: Any = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Slotted:
    said: int
    hidden: Any = field(default=(), repr=False, compare=False)


class Plain:
    __slots__ = ("__secret", "other")

    def __init__(self, secret: object) -> None:
        self.__secret = secret

    def __repr__(self) -> str:
        return "Plain"


class Named(NamedTuple):
    said: int


class Loud(int):
    """An integer with an attribute beside its value."""

    hidden: Any = ()


class Silent(dict[str, int]):
    """A dictionary that does not show what it holds."""

    def items(self) -> Any:
        return ()


class Colour(Enum):
    RED = 1
    BLUE = 2


def _loud(hidden: object) -> Loud:
    made = Loud(1)
    made.hidden = hidden
    return made


def _beside(hidden: object) -> Quiet:
    made = Quiet(1)
    vars(made)["beside"] = hidden
    return made


def _closure(hidden: object) -> Callable[[], object]:
    return lambda: hidden


def _default(hidden: object) -> Callable[[], object]:
    def told(kept: object = hidden) -> object:
        return kept

    return told


def _method(hidden: object) -> Callable[[], str]:
    return Plain(hidden).__repr__


def _view(hidden: int) -> Any:
    return np.array([1, hidden])[:1]


def _cycle(hidden: object) -> list[object]:
    made: list[object] = [hidden]
    made.append(made)
    return made


HIDING: list[Callable[[Any], object]] = [
    lambda x: Quiet(1, x),
    lambda x: Slotted(1, x),
    Plain,
    _loud,
    _beside,
    _closure,
    _default,
    _method,
    _view,
    _cycle,
    lambda x: partial(max, x),
    lambda x: partial(max, key=x),
    lambda x: Silent(a=x),
    lambda x: [{"a": {x}}],
    lambda x: frozenset({x, 7}),
    lambda x: Named(x),
    lambda x: Fraction(1, x + 5),
    lambda x: np.array([x], dtype=object),
    lambda x: np.float32(x),
    lambda x: 10**400 + x,
    lambda x: float(x),
    lambda x: complex(1, x),
    lambda x: range(x),
    lambda x: bytes([x]),
    lambda x: f"\ud800{x}",
    lambda x: Counter({"a": x}),
    lambda x: Colour(x),
    lambda x: Point(x),
]


@pytest.mark.parametrize("made", HIDING)
def test_nothing_that_is_held_is_skipped(made: Callable[[Any], object]) -> None:
    assert canonical_bytes(made(1)) == canonical_bytes(made(1))
    assert canonical_bytes(made(1)) != canonical_bytes(made(2))


def test_kinds_are_told_apart() -> None:
    alike: list[object] = [
        1,
        True,
        1.0,
        1 + 0j,
        Fraction(1),
        np.int64(1),
        np.int32(1),
        np.float64(1),
        np.bool_(True),
        np.array(1),
        np.array([1]),
        np.array([[1]]),
        np.array([1.0]),
        np.array([1], dtype=object),
        "1",
        b"1",
        Loud(1),
        (1,),
        [1],
        {1},
        frozenset({1}),
        {1: None},
        OrderedDict({1: None}),
        Named(1),
        Quiet(1),
        Slotted(1),
        Colour.RED,
        Colour,
        -1,
        -1.0,
        0.0,
        -0.0,
        None,
        ...,
        (),
        ((),),
        ("a", "bc"),
        ("ab", "c"),
        np,
        len,
        [].append,
    ]
    assert len({canonical_bytes(one) for one in alike}) == len(alike)


def test_sets_have_no_order_and_dictionaries_have() -> None:
    assert canonical_bytes({"a", "b", "c"}) == canonical_bytes({"c", "b", "a"})
    assert canonical_bytes({"a": 1, "b": 2}) != canonical_bytes({"b": 2, "a": 1})
    assert canonical_bytes(float("nan")) == canonical_bytes(float("nan"))


@lru_cache
def _cached(x: int) -> int:
    return x


@pytest.mark.parametrize(
    "opaque",
    [threading.Lock(), iter([1]), Decimal(1), np.random.default_rng(0), _cached, ValueError("a")],
    ids=lambda value: type(value).__name__,
)
def test_what_is_out_of_sight_is_refused(opaque: object) -> None:
    with pytest.raises(InvalidArgument, match="cannot be compared"):
        canonical_bytes([opaque])


def test_a_class_made_at_run_time_is_refused() -> None:
    class Local:
        held = 1

    for value in (Local, Local()):
        with pytest.raises(InvalidArgument, match="define it in a module"):
            canonical_bytes(value)


def test_the_verifier_sees_what_is_hidden_and_refuses_what_it_cannot_see() -> None:
    def hides(database: tuple[int, ...]) -> Law[Any]:
        return Law({Quiet(0, sum(database)): Fraction(1)})

    def opaque(_: tuple[int, ...]) -> Law[Any]:
        return Law({threading.Lock(): Fraction(1)})

    assert verify(Case("hides", "", "broken", Pure(1), (0, 1), 2, hides)).verdict == "refuted"
    with pytest.raises(InvalidArgument, match="out of sight"):
        verify(Case("opaque", "", "broken", Pure(1), (0, 1), 2, opaque))
