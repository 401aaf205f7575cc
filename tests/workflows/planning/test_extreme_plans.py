"""Plans far from the usual: each of these once raised, never ended, or took many seconds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.errors import TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.many_labels.shared_cover import SharedCoverLearner
from tacit.learners.queries.statistical_query import StatisticalQueryLearner
from tacit.learners.thresholds.few_mistakes import MANY, FewMistakes
from tacit.probability.binomial_tails import above, at_most_above, at_most_below, noisy_above
from tacit.workflows.planning.advice import ways_out
from tacit.workflows.planning.plan import plan
from tacit.workflows.planning.reach import reach

F = Fraction
WILD: tuple[dict[str, Any], ...] = (
    {"spec": "lines(p=3)", "alpha": "0.4999", "epsilon": 20, "beta": "0.999"},
    {"spec": "intervals(bits=1)", "alpha": "1e-5", "epsilon": "8.1", "delta": "0.49"},
    {"spec": "points(bits=1)", "alpha": "0.49", "epsilon": 100, "delta": "1e-6", "beta": "1e-6"},
    {"spec": "parities(dims=500)", "alpha": "0.49", "epsilon": "0.1", "delta": "0.1"},
    {"spec": "balls(bits=1, dims=1)", "alpha": "0.3", "epsilon": 1, "delta": "0.1", "labels": 3000},
    {"spec": "thresholds(bits=2)", "alpha": "1e-7", "epsilon": "1e-12", "delta": "1e-3"},
    {"spec": "conjunctions(dims=9, width=2)", "alpha": "0.3", "epsilon": "1e-12", "labels": 50},
    {"spec": "halfspaces(bits=1, dims=2)", "alpha": "0.1", "epsilon": "1e-12", "labels": 10**6},
    {"spec": "thresholds(bits=1)", "alpha": "0.4", "epsilon": 9, "delta": "0.1", "labels": 30000},
)


@pytest.mark.parametrize("asked", WILD, ids=lambda asked: asked["spec"])
def test_what_is_wild_is_answered(asked: dict[str, Any]) -> None:
    """And as many rows as are needed are enough for the alpha that was asked, or for less."""
    given = dict(asked)
    found = plan(parse(given.pop("spec")), **given)
    assert isinstance(found.answer, int)
    back = reach("alpha", found.goal, max(found.answer, 1))
    assert back is not None
    assert back.goal.alpha <= found.goal.alpha
    assert ways_out(found.goal, 1)


def test_no_cover_is_fine_enough() -> None:
    """The search for one used to go on for ever."""
    goal = Accuracy("1e-11", "0.05")
    with pytest.raises(TooLarge, match="no cover is fine enough"):
        SharedCoverLearner.planned(Thresholds(64), Privacy(1), labels=2, accuracy=goal)


def test_all_learners_of_one_label_are_ranked() -> None:
    found = plan("thresholds(bits=32)", alpha="0.1", epsilon="1e-6")
    assert not found.left_out
    assert "statistical-query" in {offer.name for offer in found.offers}


@pytest.mark.parametrize("name", sorted(n for n, each in CATALOGUE.items() if each.beaten_by))
def test_who_is_beaten_needs_no_fewer_rows(name: str) -> None:
    """So that searches for the best may leave it out."""
    by = CATALOGUE[name].beaten_by
    for spec in ("thresholds(bits=3)", "points(bits=2)", "lines(p=3)"):
        for alpha in ("0.05", "0.3"):
            found = plan(spec, alpha=alpha, epsilon="0.9", delta="1e-6")
            rows = {offer.name: offer.n for offer in found.offers}
            assert name not in rows or rows[by] <= rows[name]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.fractions(F(1, 50), F(49, 50)), st.integers(0, 400), st.data())
def test_quick_bounds_are_bounds(m: int, p: Fraction, k: int, data: Any) -> None:
    assert not bool(at_most_above(m, p, k) < above(m, p, k))
    decay, rare = Decay.of(data.draw(st.fractions(F(1, 500), F(2)))), F(1, 100)
    bound = at_most_below(m, p, decay, k, rare=rare)
    assert not bool(bound < noisy_above(m, 1 - p, decay, m - k))


def test_few_rows_more_where_bounds_replace_sums() -> None:
    exact, bound = (FewMistakes(k, F(1, 100), 4).rows(F(1, 10)) for k in (MANY - 1, MANY))
    assert exact < bound < exact * F(10_002, 10_000)
    goal = Accuracy("0.3", "0.05")
    of = parse("thresholds(bits=32)")
    learners = [StatisticalQueryLearner(of, epsilon=F(1, 131_000 + i * 200)) for i in (0, 1)]
    sizes = [learner.sample_size(goal) for learner in learners]
    assert sizes[0] < sizes[1] < sizes[0] * F(101, 100)
