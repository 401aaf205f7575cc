"""Everything that a verb lets out: what it releases, as a law, and what it says besides."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable, Hashable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tacit.core.errors import MissingExtra
from tacit.core.law import Law, product
from tacit.data.charging import Prepared, watched
from tacit.data.quantiles import Quantile
from tacit.data.synthetic_table import SyntheticTable
from tacit.learners.model import Model


def law_of(call: Callable[[], Hashable], *, private: str) -> Law[Any]:
    """Run a call as its users do; return the exact law of all that they see of it.

    An exception, an exit, a warning and a line on the terminal are outcomes like any other: one
    that comes for some cells only is an infinite loss. `private` is a path that is ours, not
    theirs; what the call returns is seen too, unless it was drawn, which the law tells.
    """
    said, ended, returned = io.StringIO(), "", None
    with (
        warnings.catch_warnings(record=True) as warned,
        redirect_stdout(said),
        redirect_stderr(said),
        watched() as releases,
    ):
        warnings.simplefilter("always")
        try:
            returned = call()
        except (KeyboardInterrupt, MissingExtra):
            raise
        except BaseException as error:
            ended = f"{type(error).__qualname__}: {error}"
    heard = [ended, said.getvalue(), *(f"{w.category.__name__}: {w.message}" for w in warned)]
    told = tuple(text.replace(private, "") for text in heard)
    seen = None if releases else returned
    return product(map(_law, releases)).map(lambda drawn: (told, seen, drawn))


def shown(release: object) -> str:
    """Write a release as its reader sees it, whole."""
    match release:
        case Model():
            return release.dumps()
        case Quantile():
            return json.dumps([release.describe(), release.told])
        case SyntheticTable():
            return json.dumps([release.describe(), release.table])
    raise AssertionError(f"a release of a kind that no audit reads: {type(release).__qualname__}")


class _Known:
    """A prepared release, equal to any other with equal counts and parameters: so is its law."""

    def __init__(self, prepared: Prepared[Any]) -> None:
        self.prepared = prepared
        self._content = _content(prepared)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def _law(prepared: Prepared[Any]) -> Law[str]:
    return _computed(_Known(prepared))


@lru_cache(maxsize=1 << 14)
def _computed(known: _Known) -> Law[str]:
    law: Law[str] = known.prepared.law().map(shown)
    return law


def _content(value: object) -> Hashable:
    """Return all that a value holds, by content."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return tuple((_content(key), _content(held)) for key, held in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_content, value))
    if is_dataclass(value) and not isinstance(value, type):
        held = tuple(_content(getattr(value, field.name)) for field in fields(value))
        return type(value).__qualname__, held
    if callable(value):
        return getattr(value, "__qualname__", repr(value))
    return value if isinstance(value, Hashable) else repr(value)
