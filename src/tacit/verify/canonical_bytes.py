"""All that an object holds, as bytes: outputs are the same only if nobody could tell them apart."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from tacit.core.errors import InvalidArgument

Walk = Callable[[Any], bytes]


def canonical_bytes(value: object) -> bytes:
    """Return bytes that are equal for two objects only if their types and all they hold are equal.

    Fields outside `repr` or comparison, slots, attributes beside the fields, closures and defaults
    of functions, and the array that a view looks into are held too. The order of a dictionary is
    part of it, since everybody sees it; that of a set is not. Numbers of different types differ.

    Raises:
        InvalidArgument: for an object whose content cannot be walked: state kept in C, a class or
            function made at run time whose content is out of sight. Nothing falls back on `repr`.

    >>> canonical_bytes((1, 2)) == canonical_bytes((1, 2))
    True
    >>> canonical_bytes(1) == canonical_bytes(True), canonical_bytes([]) == canonical_bytes(())
    (False, False)
    """
    return _bytes(value, ())


def _bytes(value: Any, path: tuple[int, ...]) -> bytes:
    kind: type = type(value)
    if kind in _LEAVES:
        told = _LEAVES[kind](value)
        return b"%b%d:%b" % (_head(kind), len(told), told)
    if id(value) in path:
        return _join(b"again", str(len(path) - path.index(id(value))).encode())
    inner = (*path, id(value))

    def walk(part: Any) -> bytes:
        return _bytes(part, inner)

    if kind in _WALKS:
        return _head(kind) + _join(*_WALKS[kind](value, walk))
    if isinstance(value, type):
        return _join(b"class", _name(value))
    if isinstance(value, np.generic) and kind.__module__ == "numpy":
        return _join(b"number", repr(value.dtype.descr).encode(), value.tobytes())
    state = [_join(name.encode(), walk(part)) for name, part in _state(value)]
    base = _base(kind)
    if base is None:
        _refuse_hidden(kind)
        return _join(b"object", _name(kind), *state)
    held = (_LEAVES[base](value),) if base in _LEAVES else _WALKS[base](value, walk)
    return _join(b"object", _name(kind), *state, b"", *held)


def _join(*parts: bytes) -> bytes:
    """Put parts one after the other, each with its length, so that none can pass for another."""
    return b"".join([b"%d:%b" % (len(part), part) for part in parts])


@cache
def _head(kind: type) -> bytes:
    """Return what comes before all that a value of a plain type holds."""
    return _join(kind.__name__.encode())


@cache
def _base(kind: type) -> type | None:
    """Return the plain type that a class extends."""
    return next((known for known in _BASES if issubclass(kind, known)), None)


@cache
def _name(kind: type) -> bytes:
    if "<locals>" in kind.__qualname__:
        raise InvalidArgument(
            f"outputs of {kind.__qualname__} cannot be compared: a class made inside a function "
            "may hold anything; define it in a module"
        )
    return f"{kind.__module__}.{kind.__qualname__}".encode()


@cache
def _slots(kind: type) -> tuple[str, ...]:
    found: list[str] = []
    for base in reversed(kind.__mro__):
        declared = base.__dict__.get("__slots__", ())
        for name in (declared,) if isinstance(declared, str) else declared:
            hidden = name.startswith("__") and not name.endswith("__")
            found.append(f"_{base.__name__.lstrip('_')}{name}" if hidden else name)
    return tuple(name for name in found if name not in {"__dict__", "__weakref__"})


def _state(value: Any) -> Iterator[tuple[str, Any]]:
    """List what an object holds: slots of all its classes in their order, then its attributes."""
    kind: type = type(value)
    slots = [name for name in _slots(kind) if hasattr(value, name)]
    for name in slots:
        yield name, getattr(value, name)
    own = getattr(value, "__dict__", {})
    for name in sorted(own):
        yield name, own[name]


@cache
def _refuse_hidden(kind: type) -> None:
    """Refuse a type with memory beside attributes and slots, as `object.__reduce__` does."""
    word = np.dtype(np.intp).itemsize
    places = len(_slots(kind)) + sum(
        offset > 0 for offset in (kind.__dictoffset__, kind.__weakrefoffset__)
    )
    if kind.__basicsize__ > object.__basicsize__ + word * places or kind.__itemsize__:
        raise InvalidArgument(
            f"outputs that hold {kind.__module__}.{kind.__qualname__} cannot be compared: what it "
            "holds is out of sight; let out plain values or dataclasses"
        )


def _array(value: Any, walk: Walk) -> Iterator[bytes]:
    yield _join(repr(value.dtype.descr).encode(), repr(value.shape).encode())
    yield walk(value.tolist()) if value.dtype.hasobject else value.tobytes()
    yield walk(value.base)


def _function(value: Any, walk: Walk) -> Iterator[bytes]:
    yield f"{value.__module__}.{value.__qualname__}".encode()
    yield walk(value.__code__)
    yield walk([cell.cell_contents for cell in value.__closure__ or ()])
    yield walk([value.__defaults__, value.__kwdefaults__, value.__dict__])


def _code(value: Any, walk: Walk) -> Iterator[bytes]:
    yield value.co_code
    yield walk([value.co_consts, value.co_names, value.co_varnames, value.co_freevars])


def _pairs(value: Any, walk: Walk) -> Iterator[bytes]:
    for key, part in dict.items(value):
        yield walk(key)
        yield walk(part)


_LEAVES: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda _: b"",
    type(...): lambda _: b"",
    bool: lambda value: b"1" if value else b"0",
    int: lambda value: int.__format__(value, "x").encode(),
    float: lambda value: np.float64(value).tobytes(),
    complex: lambda value: np.complex128(value).tobytes(),
    str: lambda value: str.encode(value, "utf-8", "surrogatepass"),
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    range: lambda value: b"%d,%d,%d" % (value.start, value.stop, value.step),
}

_WALKS: dict[type, Callable[[Any, Walk], Any]] = {
    tuple: lambda value, walk: map(walk, tuple.__iter__(value)),
    list: lambda value, walk: map(walk, list.__iter__(value)),
    dict: _pairs,
    set: lambda value, walk: sorted(map(walk, set.__iter__(value))),
    frozenset: lambda value, walk: sorted(map(walk, frozenset.__iter__(value))),
    types.MappingProxyType: lambda value, walk: (walk(dict(value)),),
    np.ndarray: _array,
    partial: lambda value, walk: map(
        walk, (value.func, value.args, value.keywords, value.__dict__)
    ),
    types.FunctionType: _function,
    types.CodeType: _code,
    types.MethodType: lambda value, walk: (walk(value.__self__), walk(value.__func__)),
    types.BuiltinFunctionType: lambda value, walk: (walk(value.__qualname__), walk(value.__self__)),
    types.ModuleType: lambda value, _: (value.__name__.encode(),),
}

_BASES: tuple[type, ...] = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset)
"""What a class may extend: its own content, beside attributes and slots, is walked as well."""
