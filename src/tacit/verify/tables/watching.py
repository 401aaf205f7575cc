"""Everything that a verb lets out: what it releases, as a law, and what it says besides."""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Callable, Hashable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields, is_dataclass
from threading import get_ident
from typing import Any

import numpy as np

from tacit.core.chance.law import Law, product
from tacit.core.errors import MissingExtra
from tacit.learners.contract.model import Model
from tacit.workflows.charging import watched
from tacit.workflows.counting.answers import TableAnswers
from tacit.workflows.measuring import Measured
from tacit.workflows.optimising import Optimised
from tacit.workflows.quantiles import Quantile
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import canonical
from tacit.workflows.synthetic_table import SyntheticTable

Known = dict[Hashable, Law[Any]]
"""Laws by all that they depend on: equal counts have equal laws."""


def law_of(call: Callable[[], Hashable], *, private: str, known: Known) -> Law[Any]:
    """Run a call as its users do; return the exact law of all that they see of it.

    An exception, an exit, a warning and a line on the terminal are outcomes like any other: one
    that comes for some cells only is an infinite loss. `private` is a path that is ours, not
    theirs. What the call returns is seen too, unless it was drawn, which the law tells.
    """
    said, ended, returned = _Heard(sys.stderr), "", None
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
    key = told, seen, *((shown(each.blank), _content(each.statistic)) for each in releases)
    if key not in known:
        laws = [each.law().map(shown) for each in releases]
        known[key] = product(laws).map(lambda drawn: (told, seen, drawn))
    return known[key]


class _Heard(io.StringIO):
    """Keeps what this thread writes; what others write meanwhile, such as progress, passes."""

    def __init__(self, rest: Any) -> None:
        super().__init__()
        self._rest, self._thread = rest, get_ident()

    def write(self, text: str, /) -> int:
        """Keep a text, or pass it on."""
        return super().write(text) if get_ident() == self._thread else int(self._rest.write(text))


def shown(release: object) -> str:
    """Write a release as its reader sees it, whole."""
    match release:
        case Model():
            return release.dumps()
        case Measured() | Optimised() | TableAnswers():
            return json.dumps(release.describe())
        case SiteMessage():
            return canonical(release.encode())
        case Quantile():
            return json.dumps([release.describe(), release.told])
        case SyntheticTable():
            return json.dumps([release.describe(), release.table])
    raise AssertionError(f"a release of a kind that no audit reads: {type(release).__qualname__}")


def _content(value: Any) -> Hashable:
    """Return all that a statistic holds."""
    if is_dataclass(value):
        return tuple(_content(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return tuple(sorted(value.items()))
    return tuple(map(_content, value)) if isinstance(value, tuple) else repr(value)
