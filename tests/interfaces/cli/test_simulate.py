"""Simulation: intervals, the search, the same numbers however the work is spread, the command."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from joblib.parallel import ThreadingBackend
from scipy.stats import binom
from typer.testing import CliRunner

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.core.privacy import Privacy
from tacit.interfaces.cli.application import app
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.probability.clopper_pearson import share
from tacit.verify.enough.adversary import Adversary
from tacit.verify.enough.failure_curves import Simulation, simulate, workers
from tacit.verify.enough.hard_populations import hard_populations, hardest_target
from tacit.verify.enough.simulation import Population, draw_jointly, failures, joint_failures
from tacit.verify.enough.trial import trial

F = Fraction
ALPHA = BETA = F(1, 10)


def _adversary(labels: int = 1, **changed: Any) -> Adversary:
    concepts = Thresholds(8)
    learner = DirectSum(GenericLearner(concepts, epsilon=1), labels)
    return Adversary(concepts, learner, ALPHA, **{"runs": 200, "tries": 5} | changed)


@pytest.mark.parametrize("runs", [1, 20, 77])
@pytest.mark.parametrize("chance", [0.03, 0.5, 0.9])
def test_the_interval_covers(runs: int, chance: float) -> None:
    """The exact probability that the interval misses, summed over all numbers of failures."""
    found = [share(failed, runs) for failed in range(runs + 1)]
    misses = [not each.low <= chance <= each.high for each in found]
    assert binom.pmf(np.arange(runs + 1), runs, chance) @ misses <= 0.05
    assert all(each.low <= each.rate <= each.high for each in found)


def test_rows_have_equal_labels() -> None:
    population = Population(np.array([3, 8]), (F(1, 2), F(1, 2)), (F(1, 4), F(1)))
    rows = draw_jointly(population, 400, labels=3, rng=Seeded(1))
    assert rows.totals.sum() == rows.n == 400
    assert (rows.marks == rows.marks[:, :1]).all()
    assert rows.marginal().positives[:, 0].tolist() == [
        int(rows.totals[(rows.points == x) & rows.marks[:, 0]].sum()) for x in (3, 8)
    ]


def test_one_label_is_simulated_as_before() -> None:
    learner = GenericLearner(Thresholds(8), epsilon=1)
    hard = hard_populations(Thresholds(8), hardest_target(Thresholds(8)), ALPHA)["one bad region"]
    run: dict[str, Any] = {"n": 120, "limit": ALPHA, "runs": 60}
    one = failures(learner, hard, **run, rng=Seeded(2))
    assert joint_failures(DirectSum(learner, 1), hard, **run, rng=Seeded(2)) == one
    assert 0 < one < 60


def test_the_average_for_many_labels_is_what_runs_show() -> None:
    concepts = Thresholds(8)
    hard = hard_populations(concepts, hardest_target(concepts), ALPHA)["one bad region"]
    learner = GenericLearner(concepts, epsilon="0.3")
    few, many = (trial(learner, hard, ALPHA, labels=k) for k in (1, 5))
    n = 400
    mean = many.chance(n, runs=4000, seed=3)
    assert few.chance(n, runs=4000, seed=3) < mean < 5 * few.chance(n, runs=4000, seed=3)
    seen = share(many.failures(n, runs=400, rng=Seeded(4)), 400, level="1e-9")
    assert seen.low < mean < seen.high


@pytest.mark.parametrize("labels", [1, 4])
def test_the_needed_rows_are_between_enough_and_too_few(labels: int) -> None:
    adversary = _adversary(labels)
    hard = adversary.populations(100)["worst found"]
    needed = adversary.needed(hard, BETA, most=400)
    assert adversary.chance(hard, needed) <= BETA < adversary.chance(hard, needed - 10)


def test_a_learner_that_is_run_is_searched_too() -> None:
    concepts, n = Points(8), 150
    request = Request(concepts, Privacy(1, "1e-6"), 1, ALPHA, BETA, agnostic=False)
    adversary = Adversary(concepts, named("histogram")(request), ALPHA, runs=30, tries=3)
    assert not adversary.quick
    chances = {name: adversary.chance(p, n) for name, p in adversary.populations(n).items()}
    assert chances["worst found"] >= max(chances.values())
    assert chances["worst found"] > 0.8


def test_an_agnostic_limit_is_above_the_best_concept() -> None:
    adversary = _adversary(lean=F(1, 4), tries=0)
    for population in adversary.populations(50).values():
        assert adversary.limit(population) == F(3, 8) + ALPHA


def _seen(found: Simulation) -> list[tuple[str, list[int]]]:
    return [(curve.name, [s.failures for s in curve.shares]) for curve in found.curves]


def test_results_do_not_depend_on_how_the_work_is_spread() -> None:
    adversary = _adversary(runs=50)
    alone = simulate(adversary, [60, 180], runs=60)
    assert alone.enough(BETA) == 180
    assert alone.worst.shares[0].rate > 0.5
    said: list[str] = []
    assert _seen(simulate(adversary, [180, 60], runs=60, jobs=2, tell=said.append)) == _seen(alone)
    assert len(said) == 3
    used: list[int] = []

    class Cluster(ThreadingBackend):  # type: ignore[misc]
        """What a Dask or Ray cluster would be: a backend of the user's."""

        def submit(self, *given: Any, **named: Any) -> Any:
            used.append(1)
            return super().submit(*given, **named)

    joblib.register_parallel_backend("cluster", Cluster)
    with joblib.parallel_config(backend="cluster", n_jobs=2):
        assert _seen(simulate(adversary, [60, 180], runs=60, jobs=None)) == _seen(alone)
    assert used


def test_without_joblib_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("tacit.verify.enough.failure_curves.import_module", missing)
    with pytest.raises(MissingExtra, match=r"tacit\[parallel\]"), workers(2):
        pass
    with workers(1) as spread:
        assert spread(pow, [(2, 5)]) == [32]


def test_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    asked = ["simulate", "thresholds(bits=8)", "--n", "40,190", "--runs", "40", "--tries", "2"]
    done = CliRunner().invoke(app, [*asked, "--json", "--plot", str(picture)])
    said = json.loads(done.stdout)
    assert said["promised_n"] <= 200
    assert said["enough_n"] == 190
    assert abs(sum(said["worst"]["masses"]) - 1) < 1e-9
    for curve in said["populations"]:
        assert [each["n"] for each in curve["results"]] == [40, 190]
        assert all(each["low"] <= each["rate"] <= each["high"] for each in curve["results"])
    assert picture.read_text().startswith("<?xml")
    shown = CliRunner().invoke(app, asked).stdout
    assert "Promised" in shown
    assert "worst found" in shown


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--n", "ten"], "whole numbers"),
        (["--alpha", "0.5"], "alpha"),
        (["--labels", "0"], "labels"),
        (["--runs", "0"], "runs"),
        (["--jobs", "0"], "jobs"),
        (["--learner", "nobody"], "nobody"),
        (["--learner", "stable-point"], "stable-point"),
        (["--plot", "curve.txt"], "must end in"),
    ],
)
def test_nonsense_is_refused(asked: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["simulate", "thresholds(bits=4)", *asked])
    assert isinstance(done.exception, InvalidArgument)
    assert said in str(done.exception)
