"""Whatever scikit-learn does with a shell, every fit is on the ledger before it says anything."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import tacit.estimators as est
from tacit.core.cost import Parallel, Pure, Repeat
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Integer, Schema
from tacit.data.ledger import Cap, Ledger, verify_ledger

AGES: NDArray[Any] = np.arange(20, 100).repeat(6).reshape(-1, 1)
SICK: NDArray[Any] = AGES.ravel() >= 65
WIDE: dict[str, Any] = {"bounds": (0, 120), "step": 1}


def _granted(path: Path, epsilon: Any = 1000, shell: Any = None) -> Ledger:
    ledger = Ledger.create(path / "budget.db")
    asked = est.PrivateThresholdClassifier(**WIDE) if shell is None else shell
    ledger.grant("people", asked.declared_schema(AGES), Cap(epsilon, "0.01"))
    return ledger


def _charges(ledger: Ledger) -> list[dict[str, Any]]:
    return [event.body for event in ledger.events() if event.body["kind"] == "reserve"]


def _spent(ledger: Ledger) -> Fraction:
    (people,) = ledger.datasets()
    assert people.pending == 0
    verify_ledger(ledger)
    return people.account.total.epsilon


def _shell(ledger: Any, **given: Any) -> est.PrivateThresholdClassifier:
    return est.PrivateThresholdClassifier(**WIDE, ledger=ledger, dataset="people", **given)


def test_a_fit_is_charged_and_a_cap_is_kept(tmp_path: Path) -> None:
    ledger = _granted(tmp_path, 1)
    shell = _shell(str(ledger.path), epsilon="3/4").fit(AGES, SICK)
    assert shell.private_
    assert _spent(ledger) == Fraction(3, 4)
    fresh = _shell(ledger.path, epsilon="1/2")
    with pytest.raises(Refused, match=r"would cost ε = 0\.5"):
        fresh.fit(AGES, SICK)
    assert not hasattr(fresh, "model_")
    assert _spent(ledger) == Fraction(3, 4)
    _shell(ledger, epsilon="1/4").fit(AGES, SICK)
    assert _spent(ledger) == 1
    shell.predict(AGES)
    assert _spent(ledger) == 1


def test_copies_of_all_kinds_charge_the_same_ledger(tmp_path: Path) -> None:
    ledger = _granted(tmp_path)
    shell = _shell(ledger).fit(AGES, SICK)
    for copied in (clone(shell), copy.deepcopy(shell), pickle.loads(pickle.dumps(shell))):
        copied.fit(AGES, SICK)
    assert _spent(ledger) == 4


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_grid_search_is_on_the_ledger_fit_by_fit(tmp_path: Path, jobs: int | None) -> None:
    ledger = _granted(tmp_path)
    grid = {"epsilon": ["0.1", "0.2", "0.3", "0.4", "0.5"]}
    search = GridSearchCV(_shell(ledger), grid, cv=3, n_jobs=jobs).fit(AGES, SICK)
    assert len(_charges(ledger)) == 5 * 3 + 1
    last = Fraction(search.best_params_["epsilon"])
    assert _spent(ledger) == 3 * (1 + 2 + 3 + 4 + 5) * Fraction(1, 10) + last


def test_a_search_beyond_the_cap_is_refused_and_tells_nothing(tmp_path: Path) -> None:
    ledger = _granted(tmp_path, 2)
    with pytest.raises(Refused):
        cross_val_score(_shell(ledger), AGES, SICK, cv=3, error_score="raise")
    assert _spent(ledger) == 2
    with pytest.raises(ValueError, match="All the 3 fits failed"):
        cross_val_score(_shell(ledger), AGES, SICK, cv=3)
    assert _spent(ledger) == 2


def test_many_outputs_and_pipelines_are_on_the_ledger(tmp_path: Path) -> None:
    ledger = _granted(tmp_path)
    labels = np.column_stack([SICK, ~SICK, AGES.ravel() >= 40]).astype(int)
    MultiOutputClassifier(_shell(ledger)).fit(AGES, labels)
    assert _spent(ledger) == 3
    make_pipeline(FunctionTransformer(), _shell(ledger)).fit(AGES, SICK)
    assert _spent(ledger) == 4
    est.MultiLabelPrivateClassifier(_shell(ledger)).fit(AGES, labels)
    assert 4 < _spent(ledger) <= 5
    cost = _charges(ledger)[-1]["cost"]
    assert json.dumps(cost).count("BoundedRange") <= 1


def test_a_private_search_costs_one_fit(tmp_path: Path) -> None:
    ledger = _granted(tmp_path)
    shell = est.PrivateThresholdClassifier(**WIDE)
    grid = {"learner": ["generic", "prior", None]}
    search = est.PrivateSearchCV(shell, grid, epsilon="1/2", ledger=ledger, dataset="people")
    search.fit(AGES, SICK)
    assert _spent(ledger) == Fraction(1, 2)
    assert len(_charges(ledger)) == 1
    assert search.private_
    assert search.privacy_.epsilon == Fraction(1, 2)
    assert search.cost_ == Parallel(*search.cost_.parts[:3], Pure("1/2"))
    assert search.score(AGES, SICK) > 0.6


def test_a_search_among_columns_is_one_schema_and_among_grids_is_not(tmp_path: Path) -> None:
    table = np.column_stack([AGES, AGES[::-1]])
    shell = est.PrivateThresholdClassifier(**WIDE)
    ledger = Ledger.create(tmp_path / "budget.db")
    ledger.grant("people", shell.declared_schema(table), Cap(2))
    charged: dict[str, Any] = {"ledger": ledger, "dataset": "people"}
    search = est.PrivateSearchCV(shell, {"feature": [0, 1]}, **charged).fit(table, SICK)
    assert _spent(ledger) == 1
    search.best_estimator_.fit(table, SICK)
    assert _spent(ledger) == 2
    with pytest.raises(Refused, match="for this schema"):
        est.PrivateSearchCV(shell, {"step": [1, 2]}, **charged).fit(table, SICK)
    assert len(_charges(ledger)) == 2


def test_a_synthesizer_is_on_the_ledger_and_samples_are_free(tmp_path: Path) -> None:
    maker = est.PrivateSynthesizer(**WIDE, dataset="people")
    ledger = _granted(tmp_path, 1, maker)
    made = maker.set_params(ledger=ledger).fit(AGES)
    assert made.private_
    assert _spent(ledger) == 1
    made.sample(10)
    made.sample(10)
    assert _spent(ledger) == 1
    with pytest.raises(Refused):
        clone(made).fit(AGES)


def test_a_granted_schema_may_have_more_columns(tmp_path: Path) -> None:
    schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    ledger = Ledger.create(tmp_path / "budget.db")
    ledger.grant("people", schema, Cap(1))
    frame = {"age": AGES.ravel()}
    shell = est.PrivateThresholdClassifier(
        schema=schema, feature="age", ledger=ledger, dataset="people"
    )
    shell.fit(pd.DataFrame(frame), SICK)
    assert _spent(ledger) == 1


def test_what_cannot_be_charged_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    ledger = _granted(tmp_path)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"dataset": None}, "ledger needs dataset"),
        ({"ledger": None}, "give ledger="),
        ({"ledger": None, "dataset": None, "analyst": "ada"}, "give ledger="),
        ({"random_state": 1}, "NOT private"),
        ({"ledger": 7}, "path or a Ledger, got int"),
    ]
    for changed, said in wrong:
        with pytest.raises(InvalidArgument, match=said):
            _shell(ledger).set_params(**changed).fit(AGES, SICK)
    with pytest.raises(Refused, match="was granted no budget"):
        _shell(ledger).set_params(dataset="others").fit(AGES, SICK)
    with pytest.raises(Refused, match="for this schema"):
        _shell(ledger).set_params(step=2).fit(AGES, SICK)
    with pytest.raises(InvalidArgument, match="Complex data"):
        _shell(ledger).fit(AGES.astype(complex), SICK)
    with pytest.raises(InvalidArgument, match="Only binary"):
        _shell(ledger).fit(AGES, AGES.ravel())
    with pytest.raises(InvalidArgument, match="needs a delta"):
        _shell(ledger, learner="prefix-threshold").fit(AGES, SICK)
    assert _charges(ledger) == []
    search = est.PrivateSearchCV(
        est.PrivateThresholdClassifier(**WIDE),
        {"learner": [None, "prefix-threshold"]},
        ledger=ledger,
        dataset="people",
    )
    with pytest.raises(InvalidArgument, match="needs a delta"):
        search.fit(AGES, SICK)
    assert _charges(ledger) == []


def test_without_a_ledger_this_process_remembers() -> None:
    before = len(est.unrecorded())
    grid = {"epsilon": ["0.1", "0.2", "0.3", "0.4", "0.5"]}
    GridSearchCV(est.PrivateThresholdClassifier(**WIDE), grid, cv=3).fit(AGES, SICK)
    after = est.unrecorded()[before:]
    assert len(after) == 16
    assert sum(each.privacy.epsilon for each in after[:15]) == Fraction(45, 10)
    assert after[0].purpose.startswith("thresholds")
    est.PrivateSearchCV(est.PrivateThresholdClassifier(**WIDE), {"step": [1, 2]}).fit(AGES, SICK)
    est.PrivateSynthesizer(**WIDE).fit(AGES)
    assert [each.privacy.epsilon for each in est.unrecorded()[before + 16 :]] == [1, 1]


def test_a_search_keeps_its_own_settings_to_itself() -> None:
    shell = est.PrivateThresholdClassifier(**WIDE)
    with pytest.raises(InvalidArgument, match="epsilon is the search's own"):
        est.PrivateSearchCV(shell, {"epsilon": [1, 2]}).fit(AGES, SICK)
    with pytest.raises(InvalidArgument, match="must be a private classifier"):
        est.PrivateSearchCV(FunctionTransformer(), {}).fit(AGES, SICK)
    with pytest.raises(InvalidArgument, match="3 candidates need a row each"):
        est.PrivateSearchCV(shell, {"step": [1, 2, 3]}).fit(AGES[:3], [0, 1, 1])
    with pytest.raises(InvalidArgument, match="holdout"):
        est.PrivateSearchCV(shell, {}, holdout=1).fit(AGES, SICK)


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.lists(st.sampled_from([1, 2, 3, 5]), min_size=1, unique=True))
def test_a_search_chooses_what_it_was_offered(seed: int, steps: list[int]) -> None:
    shell = est.PrivateThresholdClassifier(bounds=(0, 120))
    search = est.PrivateSearchCV(shell, {"step": steps}, epsilon=20, random_state=seed)
    search.fit(AGES, SICK)
    assert search.best_params_["step"] in steps
    assert search.best_estimator_.step == search.best_params_["step"]
    assert search.best_estimator_.model_.n == (480 - 96) // len(steps)
    assert search.privacy_.epsilon == 20
    again = clone(search).fit(AGES, SICK)
    assert (again.predict(AGES) == search.predict(AGES)).all()


def test_labels_of_one_budget_are_one_charge() -> None:
    before = len(est.unrecorded())
    labels = np.column_stack([SICK, ~SICK]).astype(int)
    shell = est.PrivateThresholdClassifier(**WIDE, epsilon=1)
    both = est.MultiLabelPrivateClassifier(shell).fit(AGES, labels)
    assert len(est.unrecorded()) == before + 1
    assert isinstance(both.cost_, Repeat)
    assert both.privacy_.epsilon == 1
