"""The margin learner: sensitivities, the law, the sampler, totality, and errors on tables."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.contract.specification import parse_output
from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.concepts.rules.scorecard import Steps
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Schema
from tacit.learners import MarginLearner, named
from tacit.learners.linear.linear_frame import (
    FramedColumn,
    LinearFrame,
    framed,
    moments,
    moments_moved,
    norm_squared,
    shortened,
)
from tacit.learners.linear.written_card import written
from tacit.statistics import LabelCounts
from tacit.verify.black_box import BlackBox, audit
from tacit.workflows import learn, rules

F = Fraction
MIXED = Scorecards("7xc3x2xq4xs6xn5")
TOPS = (6, 2, 1, 3, 5, 4)
points = st.tuples(*(st.integers(0, top) for top in TOPS))
units = st.sampled_from([1, 2, 8, 1024])


def _moved(concepts: Scorecards, unit: int, old: Any, new: Any) -> int:
    one = np.array([1])
    a, b = (moments(concepts, unit, np.array([x]), one) for x in (old, new))
    return sum((s - t) ** 2 for s, t in zip(a, b, strict=True))


@given(points, points, units)
def test_the_moments_move_as_little_as_claimed(old: Any, new: Any, unit: int) -> None:
    assert _moved(MIXED, unit, old, new) <= moments_moved(MIXED, unit)
    nothing = moments(MIXED, unit, np.array([old]), np.array([1]))
    assert sum(m * m for m in nothing) <= moments_moved(MIXED, unit)  # a null row


def test_the_bound_on_moments_is_attained() -> None:
    assert _moved(Scorecards("7"), 12, 0, 6) == moments_moved(Scorecards("7"), 12)
    assert _moved(Scorecards("c3"), 12, 0, 2) == moments_moved(Scorecards("c3"), 12)
    assert _moved(Scorecards("n7"), 12, 0, 6) == moments_moved(Scorecards("n7"), 12)
    fine = Scorecards("401")
    most = max(_moved(fine, 200, x, y) for x in (0, 400) for y in range(401))
    assert most == moments_moved(fine, 200)


@st.composite
def _frames(draw: Any, units: Any = units) -> LinearFrame:
    """Draw what any noisy moments may be read as."""
    unit = draw(units)
    many = len(moments(MIXED, unit, MIXED.domain()[:1], np.array([1])))
    told = draw(st.lists(st.integers(-(20 * unit**2), 20 * unit**2), min_size=many, max_size=many))
    return framed(MIXED, unit, told, draw(st.integers(0, 9)), draw(st.integers(0, 99)))


@given(_frames(), st.lists(points, min_size=1, max_size=9))
def test_no_row_is_longer_than_claimed(frame: LinearFrame, found: list[Any]) -> None:
    most = norm_squared(MIXED, frame.unit)
    rows = shortened(frame.rows(np.array(found)), most).astype(object)
    assert ((rows * rows).sum(axis=1) <= most).all()


@settings(max_examples=60)
@given(
    _frames(),
    st.lists(st.tuples(points, st.integers(0, 1)), min_size=1, max_size=6),
    st.tuples(points, st.integers(0, 1)),
    st.integers(0, 10**6),
    st.integers(0, 9),
)
def test_a_gradient_moves_as_little_as_claimed(
    frame: LinearFrame, rows: list[Any], other: Any, seed: int, yes: int
) -> None:
    learner = MarginLearner(MIXED, rho=1, bits=frame.unit.bit_length() - 1)
    most, many = 64 * frame.unit << 6, frame.rows(np.array([other[0]])).shape[1]
    drawn = np.random.default_rng(seed).integers(-most, most + 1, many).tolist()
    pull = learner._begun(yes, 9, frame).pull

    def gradient(database: list[Any]) -> Any:
        sample = LabelCounts.of([(x, (y,)) for x, y in database], labels=1)
        return learner._gradient(learner.rows(frame, sample.points), sample, 0, drawn, pull)

    change = (gradient(rows) - gradient([other, *rows[1:]])).astype(object)
    assert (change * change).sum() <= learner.noise(pull).sensitivity_squared


def test_the_gradient_by_hand() -> None:
    learner = MarginLearner(Scorecards("3"), rho=1, bits=3)
    frame = LinearFrame((FramedColumn(3, "", 8, (0,), 8),))
    sample = LabelCounts.of([(0, (0,)), (2, (1,)), (2, (0,))], labels=1)
    rows, short = both = learner.rows(frame, sample.points)
    assert rows.tolist() == short.tolist() == [[-8, 4], [8, 4]]
    weights = [4 << 6, 0]  # the weight 1/2: margins of -1/2 and 1/2
    low, high = (round(8 / (1 + math.exp(-margin))) for margin in (-0.5, 0.5))
    expected = -low * rows[0] + (8 - high) * rows[1] - high * rows[1]
    assert learner._gradient(both, sample, 0, weights, 8).tolist() == expected.tolist()
    cut = -low * rows[0] + (8 - high) * rows[1] - 4 * rows[1]  # 4 < high
    assert learner._gradient(both, sample, 0, weights, 4).tolist() == cut.tolist()


def test_long_rows_are_shortened_where_they_are_added_up_alone() -> None:
    """A row far out pulls less, and its margin is that of the row as it is."""
    learner = MarginLearner(Scorecards("3"), rho=1, bits=3)
    frame = LinearFrame((FramedColumn(3, "", 8, (0,), 2),))  # coordinates of -32, 0 and 32
    sample = LabelCounts.of([(2, (0,))], labels=1)
    rows, short = both = learner.rows(frame, sample.points)
    assert rows.tolist() == [[32, 4]]
    assert short.tolist() == [[9, 1]]
    weights = [-(1 << 6), 0]  # a margin of -1/2; of the shortened row, of -9/64
    low = round(8 / (1 + math.exp(0.5)))
    assert learner._gradient(both, sample, 0, weights, 8).tolist() == (-low * short[0]).tolist()


def test_at_first_what_is_rare_goes_with_the_rarer_answer() -> None:
    learner = MarginLearner(Scorecards("s5xc2"), rho=1)
    low, common = FramedColumn(5, "s", 1024, (-600,), 512), FramedColumn(2, "c", 1024, (800, 0), 9)
    frame, one = LinearFrame((low, common)), 1024 << 6
    few, half, many = (learner._begun(yes, 99, frame) for yes in (9, 49, 90))
    line, square, usual, never, constant = few.weights
    assert line > 0 > usual  # large numbers, and not the common code, where yes is rare
    assert (square, never) == (0, 0)
    assert math.hypot(line, usual) == pytest.approx(0.7 * one * (1 - 2 * 0.095), rel=1e-3)
    assert constant < 0
    assert many.weights == tuple(-w for w in few.weights)
    assert abs(half.weights[0]) < one / 50
    assert few.pull == many.pull > half.pull == int(1024 * (F(101, 200) - F(1, 10)))


@pytest.mark.parametrize("n", [0, 50, 500, 5000])
def test_the_cost_is_what_was_asked_for(n: int) -> None:
    for epsilon in ("0.1", "1", "4"):
        learner = MarginLearner.within(MIXED, Privacy(epsilon, "1e-6"))
        found = price(learner.cost, "1e-6").privacy.epsilon
        assert F(epsilon) * F(999, 1000) <= found <= F(epsilon)
        releases = *learner.releases(n), learner.noise(700)
        ones, first, step = (release.cost.rho for release in releases)
        if learner.alone(n):  # then nothing else is told
            assert releases[0].cost.mu_squared == learner.cost.mu_squared
            assert ones < learner.rho
        else:
            assert ones + first + learner.steps * step == learner.rho
            every = (*releases[:2], *[learner.noise(409)] * learner.steps)
            near = sum((r.sensitivity_squared / (r.sigma_squared - 4) for r in every), F(0))
            assert near <= learner.cost.mu_squared < near * F(10001, 10000)


def test_the_sampler_has_the_law() -> None:
    """Chi-square over the likeliest cards; a true law fails with probability 1e-9."""
    learner = MarginLearner(Scorecards("3"), rho=8, steps=1, bits=0, caution=0)
    sample = LabelCounts.of([(0, (0,)), (2, (1,)), (1, (1,))], labels=1)
    law, runs, rng = learner.law(sample), 4000, Seeded(3)
    assert 0 <= law.slack < F(1, 10**15)
    drawn = Counter(learner(sample, rng=rng) for _ in range(runs))
    assert set(drawn) <= set(law.probabilities)
    often = {card: float(p) for card, p in law.probabilities.items() if p * runs >= 20}
    assert len(often) >= 12
    rest = 1 - sum(often.values())
    seen = sum(drawn[card] for card in often)
    found = sum((drawn[card] - runs * p) ** 2 / (runs * p) for card, p in often.items())
    found += (runs - seen - runs * rest) ** 2 / (runs * rest)
    assert found < chi2.isf(1e-9, len(often))


def test_the_law_of_two_steps_adds_up() -> None:
    learner = MarginLearner(Scorecards("2"), rho=100, steps=2, bits=0, caution=0)
    law = learner.law(LabelCounts.of([(0, (0,)), (1, (1,))], labels=1))
    assert 0 <= law.slack < F(1, 10**15)
    said = [(card(np.array([0, 1])).tolist(), p) for card, p in law.probabilities.items()]
    right, wrong = (sum(p for told, p in said if told == t) for t in ([False, True], [True, False]))
    assert right > 2 * wrong


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(points, st.integers(0, 1)), max_size=12),
    st.integers(0, 5),
    st.integers(0, 10**6),
)
def test_any_sample_gives_a_scorecard(rows: list[Any], null: int, seed: int) -> None:
    learner = MarginLearner(MIXED, rho="1/100", steps=3, caution=seed % 2 * 3472)
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    points_ = counted.points.reshape(len(counted.points), 6)
    sample = LabelCounts(counted.n + null, 1, points_, counted.totals, counted.positives)
    card = learner(sample, rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(card)) == card
    assert parse_output(str(learner.hypotheses)) == MIXED
    assert len(card(MIXED.domain())) == MIXED.domain_size


def test_points_outside_and_huge_columns() -> None:
    wide = Scorecards(f"{1 << 40}x2")
    sample = LabelCounts.of([((1 << 50, 9), (1,)), ((-7, 0), (0,))] * 9, labels=1)
    card = MarginLearner(wide, rho=1000, caution=0)(sample, rng=Seeded(1))
    assert card(np.array([[(1 << 40) - 1, 1], [0, 0]])).tolist() == [True, False]
    assert wide.decode(wide.encode(card)) == card


WHOLE = MarginLearner(Scorecards("3"), rho=8, steps=5, caution=0)


def _audited(database: list[Any], rng: Any) -> Any:
    return WHOLE(LabelCounts.of(database, labels=1), rng=rng)


def _features(card: Any) -> tuple[int, ...]:
    return tuple(card(Scorecards("3").domain()).astype(int).tolist())


def test_the_whole_learner_is_not_refuted() -> None:
    """Five steps at full precision, by sampling: two rows, one of them turned around."""
    claim = price(WHOLE.cost, "1e-3").privacy
    box = BlackBox(
        "margin-learner",
        f"two rows of one column, rho={WHOLE.rho}",
        "learner",
        Approximate(claim.epsilon, claim.delta),
        [(1, (1,)), (2, (1,))],
        [(1, (1,)), (2, (0,))],
        _audited,
        _features,
    )
    finding = audit(box, trials=700, rng=Seeded(5))
    assert finding.verdict == "not refuted"
    assert 0 < finding.epsilon < float(claim.epsilon)


SHAPE = np.random.default_rng(0)
SPREADS, CENTRES = SHAPE.uniform(8, 30, 10), SHAPE.uniform(50, 80, 10)


def _table(n: int, seed: int) -> tuple[LabelCounts, Any, Any]:
    """Draw rows of ten columns, unlike in centre and spread, with a linear rule of margin."""
    floats = np.random.default_rng(seed)
    codes = np.clip(np.round(CENTRES + floats.normal(size=(n, 10)) * SPREADS), 0, 127)
    scores = (codes - CENTRES) / SPREADS @ np.array([3, -2, 1, 1, 0, 0, 0, -1, 2, 1])
    rows = codes.astype(np.int64).tolist()
    counted = LabelCounts.of(
        [(tuple(x), (y,)) for x, y in zip(rows, (scores > 1).tolist(), strict=True)], labels=1
    )
    return counted, codes.astype(np.int64), scores > 1


@pytest.mark.parametrize(("n", "epsilon", "most"), [(1000, "4", 0.12), (5000, "1", 0.08)])
def test_errors_on_a_table(n: int, epsilon: str, most: float) -> None:
    learner = MarginLearner.within(Scorecards("x".join(["128"] * 10)), Privacy(epsilon, "1e-6"))
    _, tested, truth = _table(20_000, 99)
    errors = [
        float(np.mean(learner(_table(n, seed)[0], rng=Seeded(seed))(tested) != truth))
        for seed in range(5)
    ]
    assert np.mean(errors) < most
    assert not math.isclose(errors[0], errors[1])


def test_balls_by_their_squares() -> None:
    """A ball over 128 x 128 points, beyond every grid that balls can be counted on."""
    floats = np.random.default_rng(3)
    codes = floats.integers(0, 128, (5000, 2))
    inside = ((codes - [70, 50]) ** 2).sum(axis=1) <= 40**2
    rows = [(tuple(x), (y,)) for x, y in zip(codes.tolist(), inside.tolist(), strict=True)]
    sample = LabelCounts.of(rows, labels=1)
    round_, straight = (
        MarginLearner.within(Scorecards(values), Privacy(1, "1e-6"))(sample, rng=Seeded(1))
        for values in ("q128xq128", "128x128")
    )
    assert np.mean(round_(codes) != inside) < 0.05
    assert np.mean(straight(codes) != inside) > 0.2


@settings(max_examples=40)
@given(_frames(st.just(1024)), st.integers(0, 10**6))
def test_a_scorecard_says_what_its_frame_says(frame: LinearFrame, seed: int) -> None:
    """The points' rule, against the rows that the learner saw, up to rounding."""
    domain = MIXED.domain()
    rows = frame.rows(domain)
    weights = np.random.default_rng(seed).integers(-(10**6), 10**6, rows.shape[1])
    card = written(frame, weights.tolist(), frame.unit << 6)
    scores = rows @ weights
    wrong = card(domain) != (scores >= 0)
    assert np.abs(scores[wrong]).max(initial=0) <= np.abs(scores).max() / 4
    assert wrong.mean() < 0.1
    assert 0 in card.edges
    assert list(card.edges) == sorted(set(card.edges))


def test_each_label_is_learned_by_itself() -> None:
    learner = MarginLearner(Scorecards("s9"), rho=4, steps=3)
    rows = [(i % 9, (i % 9 > 4, i % 9 < 2)) for i in range(200)]
    both, alone = LabelCounts.of(rows, labels=2), [(x, y[1:]) for x, y in rows]
    found = learner(both, label=1, rng=Seeded(1))
    assert found == learner(LabelCounts.of(alone, labels=1), rng=Seeded(1))
    assert found != learner(both, label=0, rng=Seeded(1))


def test_few_rows_say_what_is_more_frequent() -> None:
    """Below some n nothing but the number of yes is asked, and the card has no points."""
    learner = MarginLearner.within(Scorecards("s9xc3"), Privacy(1, "1e-6"))
    rows = [((i % 9, i % 3), (i % 5 > 0,)) for i in range(150)]
    card = learner(LabelCounts.of(rows, labels=1), rng=Seeded(0))
    assert card.rule(["a", "b"]) == "always"


def test_points_are_small_and_levels_part_the_rows() -> None:
    floats = np.random.default_rng(7)
    codes = np.column_stack((floats.integers(0, 61, 4000), floats.integers(0, 3, 4000)))
    codes[floats.random(4000) < 0.2, 0] = 60  # missing, and then more often yes
    logits = (codes[:, 0] - 30) / 8 * (codes[:, 0] < 60) + 2 * (codes[:, 0] == 60) + codes[:, 1] - 1
    label = floats.logistic(size=4000) < logits
    rows = list(zip(map(tuple, codes.tolist()), ((y,) for y in label.tolist()), strict=True))
    learner = MarginLearner.within(Scorecards("n61xc3"), Privacy(1, "1e-6"))
    card = learner(LabelCounts.of(rows, labels=1), rng=Seeded(3))
    step, jobs = card.weights
    assert isinstance(step, Steps)
    assert step.cuts[-1] == 60
    assert step.points[-1] > step.points[0]
    assert max(step.points) < 200
    assert len(step.points) <= 17
    assert isinstance(jobs, tuple)
    parts = np.bincount(np.searchsorted(card.levels, card.score(codes), side="right"))
    assert len(card.levels) >= 7
    assert parts.max() < 4000 / 3
    assert np.mean(card(codes) != label) < np.mean((logits >= 0) != label) + 0.03


def test_from_a_table_to_words() -> None:
    schema = Schema({"age": Integer(18, 98), "job": Category(["a", "b", "c"]), "sick": Bits()})
    floats = np.random.default_rng(1)
    ages, jobs = floats.integers(18, 99, 3000), floats.integers(0, 3, 3000)
    people = {
        "age": ages.tolist(),
        "job": ["abc"[j] for j in jobs],
        "sick": (ages + 30 * (jobs == 1) > 70).tolist(),
    }
    model = learn(
        people,
        schema,
        concepts="scorecards(values=81xc3)",
        features=["age", "job"],
        labels=["sick"],
        epsilon=1,
        delta="1e-6",
        learner="margin",
        rng=Seeded(2),
    )
    codes = np.column_stack((ages - 18, jobs))
    assert np.mean(model.predict(codes)[:, 0] != np.array(people["sick"])) < 0.08
    assert "if job is b" in rules(model)[0]
    assert model.accuracy is None
    assert type(model).decode(model.encode()) == model


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="rho"):
        MarginLearner(MIXED, rho=0)
    with pytest.raises(InvalidArgument, match="bits"):
        MarginLearner(MIXED, rho=1, bits=11)
    with pytest.raises(InvalidArgument, match="steps"):
        MarginLearner(MIXED, rho=1, steps=0)
    learner = MarginLearner(MIXED, rho=1)
    with pytest.raises(InvalidArgument, match="promises nothing"):
        learner.sample_size(Accuracy("0.1", "0.1"))
    assert learner.accuracy(10**6, "0.1") is None
    assert learner.proper
    assert learner.agnostic
    assert named("margin").families == ("halfspaces", "scorecards")


def test_halfspaces_are_learned_as_scorecards() -> None:
    from_halfspaces = named("margin").make
    assert from_halfspaces is not None
    request: Any = type("R", (), {"concepts": Halfspaces(2, 2), "privacy": Privacy(1, "1e-6")})
    assert str(from_halfspaces(request).hypotheses) == "scorecards(values=4x4)"
