"""What made-up rows come in: an array, or a frame of a library that is chosen by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from tacit.core.errors import InvalidArgument, MissingExtra

Container = Literal["default", "pandas", "polars"]


def check_container(name: str) -> str:
    """Return the name of a container that is known."""
    if name not in ("default", "pandas", "polars"):
        raise InvalidArgument(f'transform must be "default", "pandas" or "polars", got {name!r}')
    return name


def filled(columns: Mapping[str, NDArray[Any]], container: str | None) -> Any:
    """Return columns in a container: the one named, or scikit-learn's `transform_output`.

    >>> filled({"a": np.array([1, 2]), "b": np.array([3, 4])}, "default")
    array([[1, 3],
           [2, 4]])
    """
    chosen = container or get_config()["transform_output"]
    if chosen == "default":
        return np.column_stack(list(columns.values()))
    try:
        library = import_module(check_container(chosen))
    except ImportError:
        raise MissingExtra(package=chosen, extra=chosen) from None
    if chosen == "pandas":
        return library.DataFrame(dict(columns))
    return library.DataFrame({name: values.tolist() for name, values in columns.items()})
