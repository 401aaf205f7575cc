"""Learners made pirates: traced without privacy, and no more than allowed with it."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.concepts.algebra.parities import Parities
from tacit.concepts.line.points import Points
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.interfaces.cli.command import perform
from tacit.probability.clopper_pearson import at_least
from tacit.statistics import JointCounts
from tacit.theory.codes import BonehShaw, PrintedBonehShaw, SymmetricTardos
from tacit.verify.attack import (
    Constant,
    EmpiricalRisk,
    Setting,
    allowed,
    attack,
    one_point,
    parities,
    thresholds,
)
from tacit.verify.attack.named import learner
from tacit.verify.attack.packing import labels_read_back, parities_read_back, right_at_most
from tacit.verify.attack.reconstruction import each_with, exact, recovered, together_with
from tacit.verify.attack.setting import at_the_point

CODE = BonehShaw(4, soundness="0.01")


def everything(users: int) -> Any:
    return np.array([[mask >> i & 1 for i in range(users)] for mask in range(1 << users)]) == 1


def test_thresholds_fit_the_code_of_boneh_and_shaw_and_points_do_not() -> None:
    assert thresholds(4).compatible(CODE.kinds())
    assert not thresholds(4).compatible(everything(4))
    points = Points(4)
    users = np.arange(4)
    other = Setting("points", points, users, users, agnostic=False, read=at_the_point)
    assert not other.compatible(CODE.kinds())


def test_a_table_holds_the_words_of_those_present_only() -> None:
    words = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.bool_)
    present = np.array([True, False, True])
    sample = thresholds(3).table(words, present, rows=7)
    assert sample.n == 7
    assert sample.points.tolist() == [0, 3, 2, 3]
    assert sample.marks.astype(int).tolist() == [[1, 0], [0, 0], [0, 1], [0, 0]]
    assert sample.totals.tolist() == [1, 1, 1, 4]
    flipped = words.copy()
    flipped[1] = ~flipped[1]
    again = thresholds(3).table(flipped, present, rows=7)
    assert np.array_equal(sample.marks, again.marks)


def test_a_learner_without_privacy_is_traced_at_the_repaired_length() -> None:
    """n = 10, soundness 1/1000, k = 2607: always, since no feasible word escapes."""
    code, line = BonehShaw(10, soundness="0.001"), thresholds(10)
    found = attack(code, line, EmpiricalRisk(line.concepts), runs=30, rng=Seeded(1))
    assert code.columns == 2607
    assert found.traced == 30
    assert found.innocent_accused == 0
    assert found.marked_right == 1
    assert found.epsilon_found() > 6
    assert not found.within(Privacy(1, "1/100"))


@pytest.mark.parametrize("setting", [one_point(4), parities(2)], ids=lambda s: s.name)
def test_other_reductions_are_traced_too(setting: Setting) -> None:
    code = SymmetricTardos(4, soundness="0.01")
    found = attack(code, setting, EmpiricalRisk(setting.concepts), runs=30, rng=Seeded(2))
    assert found.traced >= 25
    assert found.marked_right == 1
    assert found.innocent_accused <= 3


def test_filling_the_table_up_does_not_hide_anybody() -> None:
    line = thresholds(4)
    found = attack(CODE, line, EmpiricalRisk(line.concepts), rows=500, runs=10, rng=Seeded(3))
    assert found.traced == 10


@pytest.mark.parametrize(
    ("setting", "code"),
    [(thresholds(4), CODE), (one_point(4), SymmetricTardos(4, soundness="0.01", columns=150))],
    ids=["boneh-shaw", "tardos"],
)
def test_a_private_learner_is_accused_no_more_than_allowed(setting: Setting, code: Any) -> None:
    privacy = Privacy(1, "1/16")
    private = learner("generic", setting, labels=code.columns, privacy=privacy, rows=4)
    found = attack(code, setting, private, runs=50, rng=Seeded(4))
    assert found.within(privacy)
    assert max(at_least(int(c), 50, 1e-3) for c in found.fired) <= allowed(privacy, 0.01)
    assert found.epsilon_found(1 / 16) <= 1


def test_a_constant_is_never_traced_unless_the_code_is_broken() -> None:
    line = thresholds(4)
    found = attack(CODE, line, Constant(line.concepts), runs=20, rng=Seeded(5))
    assert found.traced == found.innocent_accused == 0
    broken: Any = PrintedBonehShaw(4, soundness="0.01")
    refuted = attack(broken, line, Constant(line.concepts), runs=20, rng=Seeded(5))
    assert refuted.traced == 20


def test_the_empirical_risk_is_least() -> None:
    line, rng = thresholds(6).concepts, Seeded(6)
    for _ in range(20):
        rows = [(rng.below(7), tuple(rng.bits(1) for _ in range(3))) for _ in range(9)]
        sample = JointCounts.of(rows, labels=3)
        counts = sample.marginal()
        for j, hypothesis in enumerate(EmpiricalRisk(line)(sample, rng=rng)):
            best = min(counts.mistakes(concept, label=j) for concept in line.concepts())
            assert counts.mistakes(hypothesis, label=j) == best


def test_pure_privacy_cannot_tell_many_answers_apart() -> None:
    openly, rows, labels = EmpiricalRisk(one_point(2).concepts), 4, 12
    assert labels_read_back(openly, labels=labels, rows=rows, runs=20, rng=Seeded(7)) == 20
    cap = right_at_most(2**labels, epsilon=1, rows=rows)
    private = learner("generic", one_point(2), labels=labels, privacy=Privacy(1, 0), rows=rows)
    right = labels_read_back(private, labels=labels, rows=rows, runs=100, rng=Seeded(8))
    assert at_least(right, 100, 1e-6) <= cap
    assert cap == pytest.approx(0.01316, abs=1e-4)


def test_parities_come_back_from_enough_rows() -> None:
    cube = Parities(3)
    openly = EmpiricalRisk(cube)
    many = parities_read_back(openly, cube, labels=3, rows=30, runs=10, rng=Seeded(9))
    few = parities_read_back(openly, cube, labels=3, rows=1, runs=30, rng=Seeded(9))
    assert (many, few < 10) == (10, True)


def test_counts_that_are_too_good_give_everybody_away() -> None:
    shares = [
        np.mean([recovered(64, 256, answer, rng=Seeded(seed)) for seed in range(5)])
        for answer in (exact, each_with(1), together_with(1))
    ]
    assert shares[0] == 1
    assert shares[1] > 0.95
    assert shares[2] < 0.65
    with pytest.raises(InvalidArgument):
        recovered(10, 9, exact, rng=Seeded(0))


def call(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["tacit", "attack", *arguments])
        with pytest.raises(SystemExit) as ended:
            perform()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out.getvalue(), err.getvalue()


def test_the_command_tells_who_was_traced() -> None:
    status, out, _ = call("--users", "5", "--soundness", "0.01", "--runs", "4", "--json")
    said = json.loads(out)
    assert status == 0
    assert (said["traced"], said["accused"], said["innocent_accused"]) == (4, [3], 0)
    assert (said["columns"], said["private"], said["within_claim"]) == (264, False, None)
    options = ("--users", "3", "--code", "tardos", "--soundness", "0.1", "--runs", "4")
    status, out, _ = call(*options, "--learner", "generic", "--epsilon", "1", "--json")
    said = json.loads(out)
    assert said["within_claim"] is True
    assert said["delta"] == pytest.approx(1 / 9)


def test_the_command_draws_and_tells_people(tmp_path: Path) -> None:
    picture = tmp_path / "scores.svg"
    options = ("--users", "3", "--soundness", "0.1", "--runs", "4", "--learner", "constant")
    status, out, _ = call(*options, "--plot", str(picture))
    assert status == 0
    assert "erm is not private: 100%" in out
    assert "constant keeps its claim" in out
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--users", "1"], "--users must lie between"),
        (["--code", "hamming"], "--code must be one of"),
        (["--learner", "nobody"], "is not known"),
        (["--rows", "3"], "--rows must be at least"),
        (["--epsilon", "nan", "--learner", "generic"], "epsilon"),
        (["--plot", "scores.gif"], "--plot"),
        (["--runs", "1"], "runs must be at least 2"),
    ],
)
def test_bad_requests_exit_with_two(arguments: list[str], words: str) -> None:
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert words in err


def told(*arguments: str) -> Any:
    out = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(StringIO()):
        patch.setattr(sys, "argv", ["tacit", "attack", *arguments, "--json"])
        with pytest.raises(SystemExit) as ended:
            perform()
    assert ended.value.code == 0
    return json.loads(out.getvalue())


def test_no_innocent_user_at_all_is_accused() -> None:
    asked = ["--users", "4", "--soundness", "0.04", "--runs", "30"]
    one, any_of = told(*asked), told(*asked, "--innocent", "any")
    assert (one["soundness"], one["soundness_each"]) == (0.04, 0.04)
    assert (any_of["soundness"], any_of["soundness_each"]) == (0.04, 0.01)
    assert any_of["columns"] == BonehShaw(4, soundness="0.01").columns > one["columns"]
    assert any_of["traced"] == 30
    assert at_least(any_of["innocent_accused"], 30, 1e-6) <= 0.04


def test_half_of_the_users_may_be_innocent() -> None:
    found = attack(
        CODE, thresholds(4), EmpiricalRisk(thresholds(4).concepts), runs=20, absent=2, rng=Seeded(3)
    )
    assert found.traced == 20
    assert found.innocent_accused <= 2


@pytest.mark.parametrize(
    ("setting", "rows"), [(thresholds(5), 24), (one_point(5), 49), (parities(2), 9)]
)
def test_tables_are_filled_up_as_far_as_an_error_leaves_a_trace(setting: Any, rows: int) -> None:
    alpha, n = Fraction(1, 10), setting.users
    assert setting.most_rows(alpha) == rows
    assert alpha * rows < setting.bearable * n <= alpha * (rows + 1)


def test_a_table_that_is_filled_up_is_traced_by_the_command() -> None:
    said = told("--users", "5", "--soundness", "0.01", "--alpha", "0.1", "--runs", "4")
    assert (said["rows"], said["traced"], said["compatible"]) == (24, 4, True)
    assert said["traced_up_to_error"] == pytest.approx(5 / 48)


def test_parities_are_traced_by_the_command() -> None:
    said = told("--users", "4", "--code", "tardos", "--on", "parities", "--soundness", "0.01")
    assert said["setting"] == "parities"
    assert not said["compatible"]
    assert said["traced"] >= 18


def test_packings_bind_private_learners_and_not_others() -> None:
    asked = ["--packing", "--labels", "12", "--rows", "8", "--runs", "30"]
    assert told(*asked)["right"] == 30
    private = told(*asked, "--learner", "generic", "--epsilon", "1")
    assert private["within_claim"]
    assert private["right_at_most"] == pytest.approx(right_at_most(2**12, epsilon=1, rows=8))
    cube = told("--packing", "--on", "parities", "--dims", "3", "--labels", "2", "--rows", "30",
                "--runs", "10")  # fmt: skip
    assert (cube["answers_log2"], cube["right"]) == (6, 10)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--code", "tardos", "--on", "thresholds"], "not compatible"),
        (["--on", "parities", "--users", "6"], "every point of a cube"),
        (["--on", "boxes"], "--on must be"),
        (["--innocent", "all"], "--innocent must be"),
        (["--rows", "20", "--alpha", "0.1"], "leave out one"),
        (["--packing", "--delta", "1e-6"], "pure privacy"),
        (["--packing", "--on", "thresholds"], "--on point or parities"),
        (["--packing", "--sweep", "2,4"], "two experiments"),
    ],
)
def test_what_cannot_be_attacked_is_said(arguments: list[str], words: str) -> None:
    err = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(err), redirect_stdout(StringIO()):
        patch.setattr(sys, "argv", ["tacit", "attack", *arguments])
        with pytest.raises(SystemExit) as ended:
            perform()
    assert ended.value.code == 2
    assert words in err.getvalue().replace("\n", " ")
