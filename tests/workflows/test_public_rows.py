"""Public rows beside private ones: what is read, promised, kept and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, Refused, TacitError
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema
from tacit.learners.contract.model import Model
from tacit.workflows import learn
from tacit.workflows.charging import watched
from tacit.workflows.planning.plan import plan
from tests.interfaces.cli.test_command import call, read

SCHEMA = Schema(
    {"dose": Integer(0, (1 << 62) - 1), "old": Bits(), "ill": Bits(), "id": Integer(0, 999)}
)
ASKED: dict[str, Any] = {
    "concepts": "thresholds(bits=62)",
    "features": ["dose"],
    "labels": ["ill"],
    "epsilon": 1,
}


def rows(n: int, seed: int) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    dose = rng.integers(0, 10**6, n)
    return {
        "dose": dose.tolist(),
        "old": rng.integers(0, 2, n).tolist(),
        "ill": (dose >= 400_000).astype(int).tolist(),
        "id": (np.arange(n) % 300).tolist(),
    }


PRIVATE, PUBLIC = rows(400, 1), rows(150, 2)
UNLABELLED = {"dose": PUBLIC["dose"]}


def test_public_features_are_enough_for_a_promise() -> None:
    asked = {**ASKED, "agnostic": False, "alpha": "0.1", "rng": Seeded(1)}
    model = learn(PRIVATE, SCHEMA, **asked, public=UNLABELLED)
    assert (model.learner, model.public, model.public_labelled) == ("public-cover", 150, False)
    assert (model.n, model.privacy) == (400, Privacy(1))
    assert model.accuracy is not None
    with pytest.raises(Refused):
        learn(PRIVATE, SCHEMA, **asked)
    read = Model.loads(model.dumps())
    assert read == model
    assert model.encode()["public"] == {"rows": 150, "labelled": False}
    (rule,) = model.hypotheses
    fresh = np.array(rows(10_000, 3)["dose"])
    assert (rule(fresh) != (fresh >= 400_000)).mean() <= 0.1


def test_stand_ins_lie_at_public_points() -> None:
    """The law of the release has a rule for each labelling of the public rows, and no other."""
    with watched() as releases:
        learn(PRIVATE, SCHEMA, **ASKED, public=UNLABELLED, rng=Seeded(1))
    (release,) = releases
    told = {model.hypotheses[0].at for model in release.law().probabilities}
    assert told == {0, *(x + 1 for x in PUBLIC["dose"])}


@pytest.mark.parametrize("concepts", ["conjunctions", "rules", "parities"])
def test_one_column_of_yes_and_no_is_enough(concepts: str) -> None:
    asked: Any = {"concepts": concepts, "features": ["old"], "labels": ["ill"], "epsilon": 1}
    public = {"old": [0, 1, 1]}
    assert learn(PRIVATE, SCHEMA, **asked, public=public, rng=Seeded(1)).public == 3


def test_labelled_public_rows_are_learned_from() -> None:
    few = {name: column[:4] for name, column in PRIVATE.items()}
    asked = {**ASKED, "epsilon": 4, "rng": Seeded(5)}
    model = learn(few, SCHEMA, **asked, public=PUBLIC, public_labelled=True)
    assert (model.learner, model.public, model.public_labelled) == ("generic", 150, True)
    assert (model.n, model.accuracy, model.privacy) == (4, None, Privacy(4))
    (rule,) = model.hypotheses
    fresh = np.array(rows(10_000, 3)["dose"])
    assert (rule(fresh) != (fresh >= 400_000)).mean() <= 0.1


@pytest.mark.parametrize("learner", ["prior", "generic"])
def test_any_learner_of_one_table_takes_labelled_ones(learner: str) -> None:
    asked = {**ASKED, "learner": learner, "rng": Seeded(1)}
    model = learn(PRIVATE, SCHEMA, **asked, public=PUBLIC, public_labelled=True, hold_out="1/5")
    assert model.learner == learner
    assert [told.n for told in model.measured] == [80]
    assert model.accuracy is None


def test_scorecards_take_labelled_ones() -> None:
    asked: dict[str, Any] = {"concepts": "scorecards", "labels": ["ill"], "epsilon": 1}
    for delta in (0, "1e-6"):
        model = learn(
            rows(2000, 8),
            SCHEMA,
            **asked,
            features=["id", "old"],
            delta=delta,
            public=PUBLIC,
            public_labelled=True,
            rng=Seeded(1),
        )
        assert model.learner == ("margin" if delta else "counted")


def test_persons_give_one_row_each_beside_public_rows() -> None:
    for labelled in (False, True):
        asked = {**ASKED, "person": ["id"], "rng": Seeded(1)}
        model = learn(PRIVATE, SCHEMA, **asked, public=PUBLIC, public_labelled=labelled)
        assert (model.n, model.weight, model.public) == (300, 1, 150)


def test_class_and_learner_may_be_chosen_with_labelled_ones() -> None:
    model = learn(
        PRIVATE,
        SCHEMA,
        labels=["ill"],
        epsilon=1,
        public=PUBLIC,
        public_labelled=True,
        rng=Seeded(1),
    )
    assert model.why
    assert model.public == 150


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"public": PRIVATE}, "the same table"),
        ({"public": {"dose": []}}, "no rows"),
        ({"public": {"ill": [1]}}, "no column 'dose'"),
        ({"public": UNLABELLED, "public_labelled": True}, "no column 'ill'"),
        ({"public": UNLABELLED, "labels_only": True}, "leave out --public"),
        ({"public": PUBLIC, "public_labelled": True, "labels_only": True}, "leave out --public"),
        ({"public": UNLABELLED, "learner": "generic"}, "which is public-cover then"),
        ({"public": UNLABELLED, "concepts": "auto"}, "name one"),
        ({"public_labelled": True}, "give some"),
        (
            {"public": PUBLIC, "public_labelled": True, "learner": "public-cover"},
            "leave out --public-labelled",
        ),
        ({"learner": "public-cover"}, "made from public rows"),
        ({"public": PUBLIC, "public_labelled": True, "alpha": "0.4"}, "promises nothing"),
    ],
)
def test_what_cannot_be_made_use_of_is_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(TacitError, match=why):
        learn(PRIVATE, SCHEMA, **{**ASKED, **more})


def test_parties_take_no_public_rows() -> None:
    parties = [{"old": [0, 1], "ill": [0, 1]}, {"old": [1, 1], "ill": [1, 1]}]
    asked = {"concepts": "conjunctions", "features": ["old"], "labels": ["ill"], "epsilon": 1}
    public: dict[str, Any] = {"public": {"old": [1], "ill": [1]}, "public_labelled": True}
    with pytest.raises(InvalidArgument, match="takes no public rows"):
        learn(parties, SCHEMA, **asked, **public, learner="parties", agnostic=False)  # type: ignore[arg-type]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, held in (("private", PRIVATE), ("public", UNLABELLED), ("labelled", PUBLIC)):
        lines = [
            ",".join(held),
            *(",".join(map(str, row)) for row in zip(*held.values(), strict=True)),
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "schema.toml").write_text(SCHEMA.dump())
    (tmp_path / "again.csv").symlink_to(tmp_path / "private.csv")
    return tmp_path


def _learn(folder: Path, *more: str) -> list[str]:
    asked = ["learn", str(folder / "private.csv"), "--schema", str(folder / "schema.toml")]
    asked += ["--class", "thresholds(bits=62)", "--features", "dose", "--labels", "ill"]
    return [*asked, "--epsilon", "1", "--out", str(folder / "model.json"), *more]


def test_the_command_takes_files_and_globs(files: Path) -> None:
    report = files / "report.md"
    told = read(*_learn(files, "--public", str(files / "pub*.csv"), "--report", str(report)))
    assert told["public"] == {"rows": 150, "labelled": False}
    assert "150 more rows, which were declared to be public: used without labels" in (
        report.read_text().replace("\n", " ")
    )
    said = call(*_learn(files, "--public", str(files / "labelled.csv"), "--public-labelled"))
    assert "150 more rows, learned from with their labels" in said.stdout
    assert json.loads((files / "model.json").read_text())["public"]["labelled"] is True


@pytest.mark.parametrize("name", ["private.csv", "again.csv", "*.csv"])
def test_a_private_file_is_not_public(files: Path, name: str) -> None:
    found = call(*_learn(files, "--public", str(files / name)))
    assert found.returncode == 2
    assert not (files / "model.json").exists()


def test_plans_know_public_rows() -> None:
    asked: dict[str, Any] = {"alpha": "0.1", "beta": "0.05", "epsilon": 1}
    without, beside = (plan("thresholds(bits=64)", **asked, public=m) for m in (0, 150))
    assert without.answer == 523
    assert beside.best is not None
    assert (beside.best.name, beside.answer) == ("public-cover", 248)
    assert {bound.name for bound in beside.lower_bounds} == {"two concepts", "unseen point"}
    arbitrary = plan("thresholds(bits=64)", **asked, public=150, agnostic=True)
    assert arbitrary.answer == 1179
    error = plan("thresholds(bits=64)", n=248, epsilon=1, public=150)
    assert error.answer is not None
    assert error.answer <= 0.1
    few = plan("thresholds(bits=64)", **asked, public=20)
    assert few.answer == without.answer
    many = plan("boxes(bits=16, dims=2)", **asked, public=100)
    assert "give up to 50" in many.too_large["public-cover"]


def test_the_command_plans_with_public_rows() -> None:
    asked = ["plan", "thresholds(bits=64)", "--alpha", "0.1", "--epsilon", "1", "--public"]
    told = read(*asked, "150")
    (mine,) = (each for each in told["learners"] if each["name"] == "public-cover")
    assert (told["answer"], told["best"], mine["n"]) == (248, "public-cover", 248)
    assert mine["assumes"] == "public rows drawn as the private ones"
    assert "with 150 public rows besides" in call(*asked, "150").stdout
    assert "So few public rows are not enough" in call(*asked, "20").stdout


def test_a_number_of_rows_is_not_taken_for_public_rows() -> None:
    asked: Any = {"concepts": "scorecards", "learner": "counted", "features": ["old"]}
    with watched() as kept:
        learn(PRIVATE, SCHEMA, **asked, labels=["ill"], epsilon=1, rng=Seeded(1))
    assert kept[0].mechanism.learner.public_n is None
