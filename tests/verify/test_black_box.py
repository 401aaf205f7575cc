"""The statistical auditor: it bites, it errs as rarely as it says, and its bounds are right."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from tacit.core.chance.randomness import Random, Seeded
from tacit.core.chance.uniform import bernoulli
from tacit.core.cost import Approximate, Pure
from tacit.core.errors import InvalidArgument
from tacit.probability.clopper_pearson import at_least
from tacit.verify.black_box import BlackBox, audit, granularity
from tacit.verify.broken.noise import _float_laplace

LOG3 = Fraction(1099, 1000)


def respond(bit: int, rng: Random) -> int:
    """Randomised response that keeps the bit with probability 3/4: epsilon is ln 3 = 1.0986."""
    return bit if bernoulli(Fraction(3, 4), rng=rng) else 1 - bit


def box(claim: Pure | Approximate, run: Any = respond) -> BlackBox:
    return BlackBox("response", "one bit", "mechanism", claim, 0, 1, run)


def test_a_true_claim_is_not_refuted_and_the_bound_is_near() -> None:
    finding = audit(box(Pure(LOG3)), rng=Seeded(1))
    assert finding.verdict == "not refuted"
    assert 0.85 < finding.epsilon <= 1.0987


def test_a_false_claim_is_refuted() -> None:
    assert audit(box(Pure("0.8")), rng=Seeded(2)).verdict == "refuted"
    assert audit(box(Approximate("0.5", "0.01")), rng=Seeded(3)).verdict == "refuted"
    assert audit(box(Approximate("0.5", "0.4")), rng=Seeded(3)).verdict == "not refuted"


def test_false_alarms_are_as_rare_as_promised() -> None:
    """At failure 1/20 and 400 audits of a tight claim, 43 alarms have chance below 1e-5."""
    rng = Seeded(4)
    tight = box(Pure(math.log(3)))
    alarms = sum(
        audit(tight, trials=400, failure=0.05, rng=rng).verdict == "refuted" for _ in range(400)
    )
    assert alarms <= 43


@pytest.mark.parametrize("failure", ["1e-9", "1/10"])
def test_half_of_the_runs_and_half_of_the_failure_bound_each_probability(failure: str) -> None:
    """Where the databases always differ, 500 runs of each have the bound (failure / 2)^(1/500)."""
    open_secret = box(Pure(1), lambda bit, _: bit)
    found = audit(open_secret, trials=1000, failure=failure, rng=Seeded(1))
    least = (float(Fraction(failure)) / 2) ** (1 / 500)
    assert found.epsilon == pytest.approx(math.log(least / (1 - least)), rel=1e-9)


def test_runs_that_chose_the_event_do_not_judge_it() -> None:
    """Outputs that never come twice: any event fits the runs by which it was chosen."""
    noise = box(Pure("0.1"), lambda _, rng: rng.below(10**9))
    assert audit(noise, trials=400, failure=0.05, rng=Seeded(6)).verdict == "not refuted"


def test_floating_point_noise_is_given_away_by_its_grid() -> None:
    leaky = BlackBox("float", "", "broken", Pure(1), 0, 1, _float_laplace)
    finding = audit(leaky, trials=4000, rng=Seeded(5))
    assert finding.verdict == "refuted"
    blind = BlackBox("float", "", "broken", Pure(1), 0, 1, _float_laplace, feature=round)
    assert audit(blind, trials=4000, rng=Seeded(5)).verdict == "not refuted"


@given(st.integers(0, 300), st.integers(0, 300))
def test_clopper_pearson_equals_the_beta_quantile(successes: int, failures: int) -> None:
    trials = successes + failures
    bound = at_least(successes, trials, 0.01)
    expected = beta.ppf(0.01, successes, failures + 1) if successes else 0.0
    assert bound == pytest.approx(expected, abs=1e-12)


def test_features_of_odd_outputs() -> None:
    assert granularity(math.nan) == "nan"
    assert granularity(math.inf) == "inf"
    assert granularity([1]) == "[1]"
    assert granularity(0.1) != granularity(0.5)


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="trials"):
        audit(box(Pure(1)), trials=10, rng=Seeded(0))
    with pytest.raises(InvalidArgument, match="failure"):
        audit(box(Pure(1)), failure=0, rng=Seeded(0))
