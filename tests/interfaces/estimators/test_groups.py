"""Groups: whose each row is, in every estimator, container and way that scikit-learn has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Integer, Schema
from tacit.estimators import (
    MultiLabelPrivateClassifier,
    PrivateClassifier,
    PrivateRegressor,
    PrivateSearchCV,
    PrivateSynthesizer,
    PrivateThresholdClassifier,
)
from tacit.workflows import learn

WHO = np.repeat(np.arange(500), 3)
AGE = 20 + (7 * WHO) % 80
ILL = AGE >= 60
DECLARED: dict[str, Any] = {"bounds": (0, 127), "step": 1, "random_state": 1}


def test_who_is_protected_is_said_and_kept() -> None:
    fitted = PrivateClassifier(classes=(0, 1), **DECLARED | {"random_state": None})
    said = "for replacing all rows of any one of the 500 persons ({})."
    for groups, name in ((WHO, "groups"), (pd.Series(WHO, name="patient"), "patient")):
        fitted.fit(AGE[:, None], ILL.astype(int), groups=groups)
        assert (fitted.model_.n, fitted.model_.unit.person) == (500, (name,))
        assert said.format(name) in fitted.certificate_
    plain = PrivateClassifier(classes=(0, 1), **DECLARED | {"random_state": None})
    assert "any one of the 1500 rows." in plain.fit(AGE[:, None], ILL.astype(int)).certificate_


def test_every_container_gives_what_the_verb_gives() -> None:
    spelled = [f"{'pP'[i % 2]}{who} " for i, who in enumerate(WHO)]
    schema = Schema({"x0": Integer(0, 127), "y": Bits()})
    table = {"x0": AGE, "y": ILL, "groups": np.array(spelled)}
    asked: Any = {"concepts": "thresholds", "features": ["x0"], "labels": ["y"], "epsilon": 1}
    known = learn(table, schema, **asked, person=["groups"], rng=Seeded(1))
    for groups in (WHO, WHO.tolist(), WHO.astype(float), spelled, np.array(spelled), pa.array(WHO),
                   pl.Series(spelled), pd.Series(spelled), WHO[:, None],
                   pd.Series(spelled, dtype="category"), [str(w) for w in WHO]):  # fmt: skip
        for rows in (AGE[:, None], pd.DataFrame({"x0": AGE}), pl.DataFrame({"x0": AGE})):
            fitted = PrivateThresholdClassifier(**DECLARED).fit(rows, ILL, groups=groups)
            assert fitted.model_.hypotheses == known.hypotheses
            assert (fitted.model_.n, fitted.model_.weight) == (500, 60)


def test_several_columns_and_names_that_are_taken() -> None:
    house = pd.DataFrame({"x0": WHO // 2, "ward": WHO % 2})
    fitted = PrivateThresholdClassifier(**DECLARED)
    fitted.fit(pd.DataFrame({"x0": AGE}), ILL, groups=house)
    assert (fitted.model_.n, fitted.model_.unit.person) == (500, ("x0_", "ward"))
    assert fitted.predict(pd.DataFrame({"x0": [20, 90]})).tolist() == [False, True]


def test_every_estimator_takes_them() -> None:
    rows = AGE[:, None]
    many = MultiLabelPrivateClassifier(PrivateThresholdClassifier(**DECLARED))
    many.fit(rows, np.column_stack([ILL, ~ILL]), groups=WHO)
    assert many.model_.unit.person == ("groups",)
    number = PrivateRegressor(y_bounds=(0, 127), epsilon=4, **DECLARED)
    assert number.fit(rows, AGE, groups=WHO).model_.n == 500
    made = PrivateSynthesizer(**DECLARED).fit(rows, groups=WHO)
    assert (made.synthetic_.n, made.synthetic_.unit.person) == (500, ("groups",))
    assert len(made.sample()) == 500


def test_what_is_refused() -> None:
    shell = PrivateThresholdClassifier(**DECLARED)
    with pytest.raises(InvalidArgument, match="inconsistent numbers of samples"):
        shell.fit(AGE[:, None], ILL, groups=WHO[1:])
    with pytest.raises(InvalidArgument, match="tells persons apart"):
        shell.fit(AGE[:, None], ILL, groups=np.empty((len(WHO), 0)))
    search = PrivateSearchCV(shell, {"feature": [0]}, random_state=1)
    with pytest.raises(InvalidArgument, match="a search deals rows"):
        search.fit(AGE[:, None], ILL, groups=WHO)
    assert search.fit(AGE[:, None], ILL, groups=None).best_index_ == 0
    with pytest.raises(TypeError, match="got colour too"):
        shell.fit(AGE[:, None], ILL, colour=1)


def test_scikit_learn_routes_them() -> None:
    shell = PrivateThresholdClassifier(**DECLARED)
    plain = make_pipeline(FunctionTransformer(), shell)
    plain.fit(AGE[:, None], ILL, privatethresholdclassifier__groups=WHO)
    assert plain[-1].model_.n == 500
    with config_context(enable_metadata_routing=True):
        asking = PrivateThresholdClassifier(**DECLARED).set_fit_request(groups=True)
        routed = make_pipeline(FunctionTransformer(), asking)
        assert routed.fit(AGE[:, None], ILL, groups=WHO)[-1].model_.n == 500
        done = cross_validate(
            asking,
            AGE[:, None],
            ILL,
            cv=GroupKFold(5),
            params={"groups": WHO},
            return_estimator=True,
        )
    assert [each.model_.n for each in done["estimator"]] == [400] * 5
