"""Audits in one run: the bound, its power, and what is found of ours and of a learner by rote."""

from __future__ import annotations

import json
import math
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.interfaces.cli.command import perform
from tacit.verify.one_run import CanaryLearner, Guesses, Rows, audit_on_a_line, on_a_line, one_run


class Rote:
    """Remember every row: as accurate as can be, and not private at all."""

    def fit(self, points: Any, labels: Any) -> Rote:
        self.known = dict(zip(points[:, 0].tolist(), labels.tolist(), strict=True))
        return self

    def predict(self, points: Any) -> Any:
        return np.array([self.known.get(x, int(x >= 0)) for x in points[:, 0].tolist()])


class Response:
    """Answer each row's label truthfully with chance e^eps / (1 + e^eps): exactly eps-DP."""

    def __init__(self, epsilon: float, seed: int) -> None:
        self.bar = math.exp(epsilon) / (1 + math.exp(epsilon))
        self.floats = np.random.default_rng(seed)

    def fit(self, points: Any, labels: Any) -> None:
        lies = self.floats.random(len(labels)) >= self.bar
        self.told = dict(zip(points[:, 0].tolist(), (labels ^ lies).tolist(), strict=True))

    def predict(self, points: Any) -> Any:
        return [self.told[x] for x in points[:, 0].tolist()]


def reference(m: int, r: int, v: int, epsilon: float, delta: float) -> float:
    """The formula with other tools: survival function and a plain loop."""
    q = 1 / (1 + math.exp(-epsilon))
    steps = [sum(binom.pmf(v - j, r, q) for j in range(1, i + 1)) / i for i in range(1, v + 1)]
    return float(min(1, binom.sf(v - 1, r, q) + 2 * m * delta * max(steps, default=0)))


@pytest.mark.parametrize("delta", [0.0, 1e-5, 1e-2])
@pytest.mark.parametrize(("m", "r", "v"), [(10, 10, 10), (50, 30, 24), (40, 40, 0), (9, 1, 1)])
def test_the_chance_is_that_of_the_theorem(m: int, r: int, v: int, delta: float) -> None:
    for epsilon in (0.0, 0.3, 1.0, 4.0):
        found = Guesses(m, r, v).chance(str(epsilon), delta)
        assert found == pytest.approx(reference(m, r, v, epsilon, delta), rel=1e-7)
        assert found >= reference(m, r, v, epsilon, delta) * (1 - 1e-12)


def test_the_bound_is_the_greatest_that_is_refuted() -> None:
    guesses = Guesses(200, 150, 140)
    least = guesses.epsilon_at_least(delta="1e-6", level="0.05")
    assert guesses.chance(str(least), "1e-6") <= 0.05
    assert guesses.chance(str(round(least + 0.001, 3)), "1e-6") > 0.05
    assert Guesses(100, 100, 50).epsilon_at_least() == 0
    assert Guesses(100, 100, 100).epsilon_at_least(level="0.05") == 3.492


def test_coins_of_a_private_program_are_bounded_by_it() -> None:
    """Randomised response attains epsilon; it is refuted below its claim and not at it."""
    always, canaries, instead = on_a_line(4000)
    found = one_run(
        lambda: Response(1.0, 3), always=always, canaries=canaries, instead=instead, rng=Seeded(2)
    )
    assert 0.8 < found.epsilon_at_least() <= 1


def test_rote_is_refuted_and_ours_is_not() -> None:
    always, canaries, instead = on_a_line(300)
    rows = {"always": always, "canaries": canaries, "instead": instead}
    rote = one_run(Rote, **rows, guesses=240, rng=Seeded(4))
    assert rote.right == 240
    assert rote.epsilon_at_least() > 3
    for seed in range(5):
        ours = audit_on_a_line("generic", Privacy(1, 0), canaries=300, rng=Seeded(seed))
        assert ours.epsilon_at_least() <= 1


def test_likelihoods_are_used_where_there_are_any() -> None:
    class Sure(Rote):
        classes_ = (0, 1)

        def predict_proba(self, points: Any) -> Any:
            ones = 0.5 + 0.1 * (np.asarray(self.predict(points)) - 0.5)
            return np.column_stack((1 - ones, ones))

        def predict(self, points: Any) -> Any:
            return super().predict(points)

    always, canaries, instead = on_a_line(100)
    found = one_run(
        Sure, always=always, canaries=canaries, instead=instead, guesses=60, rng=Seeded(5)
    )
    assert found.right == 60


def test_an_excluded_canary_leaves_no_trace() -> None:
    """What is trained on has always the same number of rows, one for each coin."""
    seen: list[int] = []

    class Counting(Rote):
        def fit(self, points: Any, labels: Any) -> Rote:
            seen.append(len(labels))
            return super().fit(points, labels)

    always, canaries, instead = on_a_line(50)
    for seed in range(5):
        one_run(Counting, always=always, canaries=canaries, instead=instead, rng=Seeded(seed))
    assert seen == [100] * 5


def test_our_learner_is_an_estimator() -> None:
    always, *_ = on_a_line(200)
    model = CanaryLearner("generic", Privacy(5, 0), Seeded(1)).fit(always.points, always.labels)
    assert np.mean(model.predict(always.points) == always.labels) > 0.95


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Guesses(5, 6, 1),
        lambda: Guesses(5, 3, 4),
        lambda: Rows(np.zeros((2, 1)), np.zeros(3, dtype=np.int64)),
        lambda: audit_on_a_line("nonsense", Privacy(1, 0), canaries=10, rng=Seeded(0)),
        lambda: audit_on_a_line("no.such:thing", Privacy(1, 0), canaries=10, rng=Seeded(0)),
        lambda: audit_on_a_line("builtins:dict", Privacy(1, 0), canaries=10, rng=Seeded(0)),
        lambda: on_a_line(1),
    ],
)
def test_bad_arguments(wrong: Any) -> None:
    with pytest.raises(InvalidArgument):
        wrong()


def call(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["tacit", "audit", "--one-run", *arguments])
        with pytest.raises(SystemExit) as ended:
            perform()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out.getvalue(), err.getvalue()


def test_the_command() -> None:
    status, out, _ = call("generic", "--epsilon", "1", "--canaries", "100", "--json")
    said = json.loads(out)
    assert (status, said["verdict"], said["method"]) == (0, "not refuted", "statistical")
    status, out, _ = call(f"{__name__}:Rote", "--epsilon", "1", "--json")
    said = json.loads(out)
    assert (said["kind"], said["verdict"]) == ("estimator", "refuted")
    # of 1000 true coins more than 450 are of either kind, or lack a few: 840 is 7 deviations away
    assert 840 <= said["right"] <= 900
    assert said["found"]["epsilon"] > 4
    status, out, _ = call("generic", "--epsilon", "1", "--canaries", "50")
    assert "not refuted" in out


def test_a_claim_is_needed() -> None:
    status, _, err = call("generic")
    assert status == 2
    assert "--one-run needs one TARGET" in err
    status, _, err = call("generic", "--epsilon", "1", "--canaries", "2")
    assert status == 2
