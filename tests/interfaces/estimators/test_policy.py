"""Estimators keep the policy whose path they have."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from tacit.core.errors import Refused
from tacit.data.ledger import Cap, Ledger
from tacit.estimators import (
    MultiLabelPrivateClassifier,
    PrivateClassifier,
    PrivateRegressor,
    PrivateSearchCV,
    PrivateSynthesizer,
    PrivateThresholdClassifier,
)

X = np.repeat(np.arange(100), 5)[:, None]
Y = X[:, 0] > 60


@pytest.mark.parametrize(
    ("clause", "asked", "why"),
    [
        ("[release]\nepsilon = 0.5", {"epsilon": 1}, r"\[release\]"),
        ('[allowed]\nclasses = ["rules"]', {"epsilon": 1}, r"\[allowed\]"),
        ("[dataset]\nepsilon = 1", {"epsilon": 1}, r"\[dataset\]"),
        ("[measured]\nrequired = true", {"epsilon": 1, "hold_out": 0}, r"\[measured\]"),
        ("[release]\nepsilon = 1", {"epsilon": 1}, ""),
        ('[allowed]\nlearners = ["histogram"]', {"epsilon": 1}, r"\[allowed\]"),
    ],
)
def test_a_fit_keeps_the_policy(
    tmp_path: Path, clause: str, asked: dict[str, int], why: str
) -> None:
    (tmp_path / "p.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
    made = PrivateClassifier(bounds=(0, 100), policy=tmp_path / "p.toml", **asked)
    if why:
        with pytest.raises(Refused, match=why):
            made.fit(X, Y)
    else:
        assert made.fit(X, Y).privacy_.epsilon <= 1


def test_a_synthesizer_keeps_it_too(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('format = "tacit-policy-1"\n[release]\nepsilon = 0.5\n')
    with pytest.raises(Refused, match=r"\[release\]"):
        PrivateSynthesizer(bounds=(0, 100), policy=tmp_path / "p.toml").fit(X)


@pytest.mark.parametrize("clause", ["[release]\nepsilon = 0.5", '[allowed]\nunits = ["person"]'])
def test_a_search_keeps_the_policy_of_its_candidates(tmp_path: Path, clause: str) -> None:
    (tmp_path / "p.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
    shell = PrivateThresholdClassifier(bounds=(0, 100), policy=tmp_path / "p.toml", epsilon="1/4")
    search = PrivateSearchCV(shell, {"step": [1, 10]}, random_state=1)
    with pytest.raises(Refused, match="the policy forbids it"):
        search.fit(X, Y)


def test_a_search_refuses_the_learner_that_a_candidate_chooses(tmp_path: Path) -> None:
    shell = PrivateClassifier(bounds=(0, 100), policy=tmp_path / "p.toml", concepts="thresholds")
    search = PrivateSearchCV(shell, {"step": [1, 10]}, random_state=1)
    for learner, fits in (("histogram", False), ("generic", True)):
        clause = f'[allowed]\nlearners = ["{learner}"]'
        (tmp_path / "p.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
        with nullcontext() if fits else pytest.raises(Refused, match="learners = histogram; not"):
            search.fit(X, Y)


def test_a_request_says_all_that_a_fit_asks(tmp_path: Path) -> None:
    """As that of the command does: another weight, share or cut is another question."""
    policy, ledger = tmp_path / "p.toml", Ledger.create(tmp_path / "l.db")
    clause = f'[approval]\nby = {{ ada = "{"1" * 64}" }}'
    policy.write_text(f'format = "tacit-policy-1"\n{clause}\n')
    own = {"bounds": (0, 100), "policy": policy}
    classifier = PrivateClassifier(**own, weight=5, hold_out=0)
    regressor = PrivateRegressor(**own, y_bounds=(0, 100), cuts=[20, 40])
    search = PrivateSearchCV(classifier, {"weight": [2]})
    for made, y in ((classifier, Y), (regressor, X[:, 0]), (search, Y)):
        made.set_params(ledger=ledger, dataset="d")
        ledger.grant("d", made.declared_schema(X), Cap(9))
        with pytest.raises(Refused, match=r"\[approval\] 1 of ada must approve"):
            made.fit(X, y)
    asked = [event.body["asked"] for event in ledger.events() if event.body["kind"] == "request"]
    assert (asked[0]["weights"], asked[0]["hold_out"]) == ({"label": 5}, "0")
    assert (asked[1]["cuts"], asked[1]["hold_out"]) == ({"label": [20, 40]}, "0.2")
    (candidate,) = asked[2]["candidates"]
    assert (candidate["weights"], asked[2]["holdout"]) == ({"label": 2}, "1/5")


def test_several_labels_keep_it_too(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('format = "tacit-policy-1"\n[release]\nepsilon = 0.5\n')
    shell = PrivateThresholdClassifier(bounds=(0, 100), policy=tmp_path / "p.toml")
    with pytest.raises(Refused, match=r"\[release\]"):
        MultiLabelPrivateClassifier(shell, random_state=1).fit(X, np.column_stack([Y, ~Y]))
