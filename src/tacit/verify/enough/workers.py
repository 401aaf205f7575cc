"""Independent pieces of work, side by side where joblib can have them so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tacit.core.errors import InvalidArgument, MissingExtra

Spread = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]


@contextmanager
def workers(jobs: int | None = 1) -> Iterator[Spread]:
    """Give a function that calls another one for each tuple of arguments, results in order.

    One job works here. Several, or -1 for all cores, are joblib's, by the backend that
    `joblib.parallel_config` has set, such as "dask" or "ray"; with None that also sets how many.

    >>> with workers() as spread:
    ...     spread(pow, [(2, 3), (3, 2)])
    [8, 9]
    """
    if jobs == 0 or (jobs is not None and jobs < -1):
        raise InvalidArgument(f"jobs must be at least 1, or -1 for all cores, got {jobs}")
    if jobs == 1:
        yield lambda function, tasks: [function(*task) for task in tasks]
        return
    try:
        joblib = import_module("joblib")
    except ImportError:
        raise MissingExtra(package="joblib", extra="parallel") from None
    with joblib.Parallel(n_jobs=jobs) as pool:
        yield lambda function, tasks: list(pool(joblib.delayed(function)(*task) for task in tasks))
