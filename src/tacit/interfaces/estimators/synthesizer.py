"""Made-up rows like those of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from tacit.core import check
from tacit.core.budget import read_budget
from tacit.core.chance.permutation import permutation
from tacit.core.chance.randomness import is_secure
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.data import Schema
from tacit.data.reading.in_memory import with_labels
from tacit.interfaces.estimators.accounting import charging, keep_policy
from tacit.interfaces.estimators.given.coins import coins
from tacit.interfaces.estimators.given.declaring import equal_parts
from tacit.interfaces.estimators.given.persons import persons_of
from tacit.interfaces.estimators.given.tables import GivenTable, declared, seen, table_to_fit
from tacit.workflows import sanitize
from tacit.workflows.sanitizing import resized

CELLS = 1 << 16


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateSynthesizer(BaseEstimator):  # type: ignore[misc]
    """Fit a table, then `sample` as many synthetic rows as wanted: `fit` costs, samples are free.

    Parameters:
        epsilon, delta, bounds, step, schema, ledger, dataset, analyst, policy, random_state: as for
            the private classifiers; without a step, ranges are cut so that there are at most 65536
            different rows, or two parts of each.
        queries: what the rows shall answer: `"thresholds"`, `"points"`, `"conjunctions(width=2)"`;
            else thresholds of one column, or conjunctions of up to three.
        method: a sanitizer; else the one that promises least error.
        beta: how unsure the promise may be.

    Fitted:
        `synthetic_`, the table with all that may be told about it; `error_`, which no answer
        exceeds but with probability beta; `cost_`, `privacy_`, `private_`.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows of the table, or persons with theirs.

    >>> import numpy as np
    >>> ages = np.arange(20, 100).repeat(9).reshape(-1, 1)
    >>> made = PrivateSynthesizer(bounds=(0, 120), step=1, random_state=1).fit(ages)
    >>> rows = made.sample(1000)
    >>> rows.shape, abs((rows >= 65).mean() - (ages >= 65).mean()) < made.error_
    ((1000, 1), True)
    """

    epsilon: Any = 1.0
    delta: Any = 0.0
    bounds: Any = None
    step: Any = None
    schema: Schema | None = None
    queries: str | None = None
    method: str | None = None
    beta: Any = 0.05
    ledger: Any = None
    dataset: str | None = None
    analyst: str = ""
    policy: Any = None
    random_state: Any = None

    def resolution(self, columns: int) -> int:
        """Return into how many equal parts a range is cut where no step is declared."""
        return equal_parts(CELLS, columns, 256)

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> PrivateSynthesizer:  # noqa: ARG002
        """Learn the rows; the cost is charged first, and a refusal costs nothing.

        With `groups`, which say whose each row is, all rows of one person are protected as one.
        """
        read_budget(self.epsilon, self.delta)
        table = table_to_fit(self, X)
        asked = self.question(table)
        if persons := persons_of(groups, table.n, table.schema.names):
            asked |= {"source": with_labels(table.rows, persons), "person": list(persons)}
        question = {name: asked[name] for name in ("columns", "queries", "method", "beta")}
        question = {"verb": "sanitize"} | question
        kept = keep_policy(self, question, person=asked.get("person", ()))
        rng = coins(self.random_state)
        with charging(self, declared(self), secure=is_secure(rng), rule=kept) as charge:
            self.synthetic_ = sanitize(**asked, rng=rng, charge=charge)
        self.error_ = self.synthetic_.error
        self.cost_, self.privacy_ = self.synthetic_.cost, self.synthetic_.privacy
        self.private_ = self.synthetic_.secure
        return self

    def question(self, table: GivenTable) -> dict[str, Any]:
        """Return what `tacit.data.sanitize` is asked.

        With `table_to_fit` it is the whole way of `fit` to the sanitizer, but for coins and charge.
        """
        return {
            "source": table.rows,
            "schema": table.schema,
            "columns": table.schema.names,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "queries": self.queries,
            "method": self.method,
            "beta": self.beta,
        }

    def sample(self, n_samples: int | None = None) -> NDArray[Any] | Any:
        """Return rows in the proportions of the synthetic table, in a random order.

        There are as many as the table had, or as told: an array, or the frame that `set_output`
        asked for. This is post-processing: it costs nothing, however often it is done.
        """
        check_is_fitted(self)
        made = self.synthetic_
        rows = made.n if n_samples is None else check.count(n_samples=n_samples, least=1)
        fitted, _ = resized(made.synthetic, rows, made.questions)
        told = replace(made, synthetic=fitted)
        order = permutation(rows, rng=coins(self.random_state))
        columns = {name: _array(values)[order] for name, values in told.table.items()}
        return filled(columns, getattr(self, "_sample_output", None))

    def set_output(self, *, transform: Container | None = None) -> PrivateSynthesizer:
        """Choose what `sample` returns: "default" for arrays, "pandas" or "polars" for frames."""
        if transform is not None:
            self._sample_output = check_container(transform)
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return the names of the columns of a sample."""
        check_is_fitted(self)
        return np.array(self.synthetic_.columns, dtype=object)

    def declared_schema(self, X: Any) -> Schema:
        """Return the schema by which a table will be read, such as a ledger is granted for."""
        return seen(clone(self), X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def _array(values: list[Any]) -> NDArray[Any]:
    """Return values as numbers where all are, else as they are."""
    if all(isinstance(value, int | float) for value in values):
        return np.array(values)
    return np.array(values, dtype=object)


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
