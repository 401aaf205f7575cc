"""Where the cost of a fit goes: on a ledger, or, without one, into this process's record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from tacit.core.composition import price
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.data import Schema
from tacit.data.ledger import Ledger
from tacit.interfaces.output.files import read_as
from tacit.workflows.charging import Charge
from tacit.workflows.releasing.policy import Kept, Policy, intended


class Unrecorded(NamedTuple):
    """A fit that no ledger knows of."""

    purpose: str
    privacy: Privacy


_fits: list[Unrecorded] = []
_lock = Lock()


def unrecorded() -> tuple[Unrecorded, ...]:
    """Return what estimators without a ledger have spent in this process, fit by fit.

    A clone, a grid search or a pipeline cannot lose a fit from here. Other processes can
    (`n_jobs=2`): only a ledger counts for all of them, and outlives them.
    """
    with _lock:
        return tuple(_fits)


def charging(
    estimator: Any, schema: Schema, *, secure: bool, rule: Kept | None = None
) -> AbstractContextManager[Charge]:
    """Open the budget that an estimator's `ledger`, `dataset` and `analyst` name."""
    ledger, dataset, analyst = estimator.ledger, estimator.dataset, estimator.analyst
    if ledger is None:
        if dataset is not None or analyst:
            raise InvalidArgument("dataset and analyst name a budget of a ledger; give ledger=...")
        return _remembering()
    if not isinstance(dataset, str):
        raise InvalidArgument("ledger needs dataset=...: the name that was granted a budget")
    if not secure:
        raise InvalidArgument(
            "random_state makes a release reproducible, which is NOT private: it cannot be put on "
            "a ledger; leave random_state=None"
        )
    opened = ledger if isinstance(ledger, Ledger) else Ledger(_path(ledger))
    return opened.charging(dataset, schema, analyst, rule)


def keep_policy(estimator: Any, question: dict[str, Any], **facts: Any) -> Kept | None:
    """Refuse a fit that the policy of an estimator forbids; return what its charge is to keep."""
    if estimator.policy is None:
        return None
    house = read_as(_path(estimator.policy), Policy.parse, option="policy")
    asked, ledger = intended(estimator.epsilon, estimator.delta, **facts), estimator.ledger
    opened = ledger if ledger is None or isinstance(ledger, Ledger) else Ledger(_path(ledger))
    return house.keep(opened, estimator.dataset, asked, question, estimator.analyst)


@contextmanager
def _remembering() -> Iterator[Charge]:
    def charge(cost: ReleaseCost, delta: Fraction, purpose: str, unit: Unit) -> None:  # noqa: ARG001
        spent = Unrecorded(purpose, price(cost, delta).privacy)
        with _lock:
            _fits.append(spent)

    yield charge


def _path(ledger: Any) -> Path:
    try:
        return Path(ledger)
    except TypeError:
        raise InvalidArgument(
            f"ledger must be a path or a Ledger, got {type(ledger).__name__}"
        ) from None
