"""How Spark is asked to run our code on Arrow batches, and what is said when it cannot."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tacit.core.errors import InvalidArgument, TacitError

Task = Callable[[Iterator[Any]], Iterator[Any]]
"""What a worker does with the Arrow batches of its rows."""
Decode = Callable[[Sequence[str], Iterator[Any]], Iterator[Any]]
"""Turns what workers read into Arrow batches of the named columns."""


def mapped(frame: Any, task: Task, columns: str) -> Any:
    """Map a frame's Arrow batches, without Spark's warning about pandas, which takes no part."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        return frame.mapInArrow(task, columns)


@contextmanager
def running(title: str) -> Iterator[None]:
    """Replace an error of Spark, which may show values, by one that shows none."""
    try:
        yield
    except TacitError:
        raise
    except Exception as error:
        if any(sign in str(error) for sign in ("No module named", "PYTHON_VERSION_MISMATCH")):
            raise InvalidArgument(
                "the Spark workers cannot run tacit: install it on each of them, with the Python "
                "version of this process; PYSPARK_PYTHON says which Python they start"
            ) from None
        raise InvalidArgument(
            f"Spark cannot read {title} to its end: a file is damaged, or Spark refuses a value or "
            "lost its workers; count its rows with Spark to see why"
        ) from None
