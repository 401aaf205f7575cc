"""Protocols: their errors counted, the learners they give, and the way back."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.algebra.line_hashes import LineBucket, LineHashes
from tacit.concepts.algebra.lines import Lines
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.learners import (
    CATALOGUE,
    GenericLearner,
    OfLearner,
    ProtocolLearner,
    RepresentationLearner,
    Request,
)
from tacit.learners.every_class.converse import hit_probability, runs_for
from tacit.learners.every_class.protocol import PARTS
from tacit.statistics import LabelCounts
from tacit.theory.communication.conversions import drawn_representation
from tacit.theory.communication.greater_than import block_protocol
from tacit.theory.communication.one_way import PublicCoins
from tacit.theory.communication.protocols import (
    Amplified,
    EqualityHashing,
    LineHashing,
    OfProtocol,
    OfRepresentation,
)
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.representations.drawn import Repeated
from tacit.theory.representations.majorities import Voted
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")


def _sample(rows: list[tuple[int, int]], nulls: int = 0) -> LabelCounts:
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    return LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)


def _worst_error(protocol: object, concepts: object) -> Fraction:
    """Let Alice send, for every concept, the message that is best on the whole at each throw."""
    domain = concepts.domain()
    worst = F(0)
    for concept in concepts.concepts():
        truth, wrong = concept(domain), np.zeros(len(domain), dtype=object)
        for chance, among in protocol.lottery():
            cells = among.cells(domain, np.where(truth, 1, -1))
            best = cells.member(int(np.argmax(cells.gains * (cells.multiplicities > 0))), 0)
            wrong = wrong + chance * (best(domain) != truth)
        worst = max(worst, *wrong)
    return worst


@pytest.mark.parametrize("messages", [2, 3, 5])
def test_equality_errs_as_computed(messages: int) -> None:
    """Alice sends the bucket of her point: exactly the collision probability elsewhere."""
    protocol, points = EqualityHashing(2, messages), np.arange(4)
    wrong = np.zeros((4, 4), dtype=object)
    for chance, among in protocol.lottery():
        values = among.of(points)
        wrong = wrong + chance * ((values[:, None] == values) & (points[:, None] != points))
    assert wrong.max() == protocol.error
    assert all(wrong[z, z] == 0 for z in range(4))


def test_lines_err_as_computed() -> None:
    protocol, concepts = LineHashing(3, 12), Lines(3)
    domain = concepts.domain()
    wrong = {line: np.zeros(9, dtype=object) for line in concepts.concepts()}
    for chance, among in protocol.lottery():
        seed = among.of
        table = seed.through(domain)
        for line in wrong:
            sent = seed.hash(np.array([line.slope * 3 + line.intercept]))[0]
            said = (table == sent).any(axis=1)
            assert said[line(domain)].all()
            wrong[line] = wrong[line] + chance * (said != line(domain))
    worst = max(max(each) for each in wrong.values())
    assert 0 < worst <= protocol.error < F(1, 4)


def test_majorities_of_runs_err_as_computed() -> None:
    once = EqualityHashing(1, 3)
    assert _worst_error(once, Points(1)) <= once.error
    thrice = Amplified(once, 3)
    assert thrice.messages == 27
    assert thrice.error == 3 * once.error**2 * (1 - once.error) + once.error**3
    assert sum(p for p, _ in thrice.lottery()) == 1
    golden = {(F(1, 3), F(1, 8)): 11, (F(1, 3), F(1, 16)): 21, (F(7, 16), F(1, 3)): 13}
    for (error, goal), runs in golden.items():
        from_votes = next(
            k
            for k in range(1, 99, 2)
            if sum(p for j, p in _binomial(k, error) if 2 * j > k) <= goal
        )
        assert from_votes == runs


def _binomial(n: int, p: Fraction) -> list[tuple[int, Fraction]]:
    masses_of = [F(1)]
    for _ in range(n):
        masses_of = [
            (masses_of[j] if j < len(masses_of) else 0) * (1 - p)
            + (masses_of[j - 1] * p if j else 0)
            for j in range(len(masses_of) + 1)
        ]
    return list(enumerate(masses_of))


def test_line_hypotheses_are_stored_read_back_and_run_in_sql() -> None:
    outputs = LineHashes(11, 64)
    assert parse_output(str(outputs)) == outputs
    seed = LineHashing(11, 64).draw(rng=Seeded(3)).of
    points = Lines(11).domain()
    for value in (0, 17, 63):
        bucket = LineBucket(seed, value)
        assert outputs.decode(json.loads(json.dumps(outputs.encode(bucket)))) == bucket
        rows = ", ".join(f"({x}, {y})" for x, y in points.tolist())
        query = f'SELECT {bucket.sql(["x", "y"])} FROM (VALUES {rows}) AS t("x", "y")'
        answers = [bool(answer) for (answer,) in duckdb.execute(query).fetchall()]
        assert answers == bucket(points).tolist()
        assert bucket.rule(["x", "y"]).startswith("for some a below 11")
    with pytest.raises(InvalidArgument):
        outputs.decode({"multiplier": 1, "shift": 0, "bucket": 64})
    with pytest.raises(TooLarge, match="time p"):
        LineHashes(65537, 64)


def test_line_cells_are_the_hypotheses() -> None:
    among = LineHashing(5, 12).draw(rng=Seeded(1))
    points, gains = np.array([(0, 1), (2, 2), (4, 0)]), np.array([3, -1, 2])
    cells = among.cells(points, gains)
    seen = set()
    for cell, (gain, many) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        for rank in range(int(many)):
            hypothesis = cells.member(cell, rank)
            seen.add(hypothesis)
            assert int(gains[hypothesis(points)].sum()) == gain
    assert len(seen) == among.size == 12


def test_golden_sizes() -> None:
    assert ProtocolLearner(EqualityHashing(64, 1024), epsilon=1).sample_size(GOAL) == 266
    lines = {101: 372, 10007: 512}
    for p, rows in lines.items():
        request = Request(Lines(p), Privacy(1), 1, GOAL.alpha, GOAL.beta, agnostic=False)
        assert CATALOGUE["protocol"](request).sample_size(GOAL) == rows
    assert GenericLearner(Lines(10007), epsilon=1).sample_size(GOAL) > 512
    noisy = Request(Points(64), Privacy(1), 1, GOAL.alpha, GOAL.beta, agnostic=True)
    assert CATALOGUE["protocol"](noisy).sample_size(GOAL) == 1314


def test_the_envelope_is_for_one_throw_of_the_coins() -> None:
    hashing = EqualityHashing(8, 4096)
    single, twice = (ProtocolLearner(hashing, epsilon=1, seeds=seeds) for seeds in (1, 2))
    fewest = min(
        RepresentationLearner(
            Repeated(OfProtocol(hashing, GOAL.alpha * part), 2), epsilon=1
        ).sample_size(GOAL)
        for part in PARTS
        if (hashing.error / (GOAL.alpha * part)) ** 2 < GOAL.beta
    )
    assert single.sample_size(GOAL) < twice.sample_size(GOAL) == fewest


def test_seeds_and_runs_are_traded() -> None:
    """A poor protocol: one throw is not enough at any n, several are, and so is a majority."""
    poor = EqualityHashing(40, 64)
    goal = Accuracy("0.25", "0.05")
    assert not ProtocolLearner(poor, epsilon=1).possible(goal)
    with pytest.raises(InvalidArgument, match="too poor"):
        ProtocolLearner(poor, epsilon=1).sample_size(goal)
    with pytest.raises(InvalidArgument, match="too poor"):
        ProtocolLearner.planned(poor, epsilon=1, accuracy=Accuracy("0.001", "0.05"))
    several = ProtocolLearner(poor, epsilon=1, seeds=8)
    voted = ProtocolLearner(poor, epsilon=1, runs=3)
    best = ProtocolLearner.planned(poor, epsilon=1, accuracy=goal)
    assert best.sample_size(goal) == min(several.sample_size(goal), voted.sample_size(goal))
    assert voted.amplified.messages == 1 << 18
    with pytest.raises(InvalidArgument, match="majorities"):
        ProtocolLearner(poor, epsilon=1, runs=5)
    promised = several.accuracy(400, "0.05")
    assert promised is not None
    assert several.sample_size(promised) <= 400


@given(
    st.lists(st.tuples(st.integers(-3, 70), st.integers(0, 1)), max_size=9),
    st.sampled_from([(1, 1), (1, 3), (3, 1)]),
    st.integers(0, 2),
)
def test_any_sample_gives_a_hypothesis(
    rows: list[tuple[int, int]], shape: tuple[int, int], nulls: int
) -> None:
    protocol = EqualityHashing(6, 4)
    learner = ProtocolLearner(protocol, epsilon=2, runs=shape[0], seeds=shape[1])
    found = learner(_sample(rows, nulls), rng=Seeded(1))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    learner = ProtocolLearner(EqualityHashing(1, 2), epsilon=1, seeds=2)
    sample, rng, runs = _sample([(0, 1), (1, 1), (1, 0)]), Seeded(3), 2000
    drawn = [learner(sample, rng=rng) for _ in range(runs)]
    law = learner.law(sample)
    assert len(law.probabilities) == 12
    assert set(drawn) <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        assert abs(drawn.count(hypothesis) / runs - p) < 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def _lines_population(p: int, *weights: F | int, at: list[tuple[int, int]]) -> Population:
    truth = tuple(F(int((3 * x + 7) % p == y)) for x, y in at)
    return Population(np.array(at), masses(*weights), truth)


def test_the_promise() -> None:
    p, goal = 31, Accuracy("0.2", "0.1")
    learner = ProtocolLearner(LineHashing(p, 8192), epsilon=1)
    just = F(2001, 10000)
    on = [(x, (3 * x + 7) % p) for x in range(9)]
    off = [(x, (5 * x + x * x + 8) % p) for x in range(1, 13)]
    off = [point for point in off if point not in on and (3 * point[0] + 7) % p != point[1]]
    populations = {
        "one point on the line": _lines_population(p, just, 1 - just, at=[on[0], off[0]]),
        "two on the line": _lines_population(p, 1, 1, 8, at=[*on[:2], off[0]]),
        "many off the line": _lines_population(
            p, just, *[(1 - just) / len(off)] * len(off), at=[on[0], *off]
        ),
        "all on the line": _lines_population(p, *[1] * 9, at=on),
        "all off the line": _lines_population(p, *[1] * len(off), at=off),
        "half and half": _lines_population(p, *[1] * (9 + len(off)), at=[*on, *off]),
    }
    n = kept(learner, populations, goal, runs=100)
    hard = populations["one point on the line"]
    worst = needed(learner, hard, goal, most=n, runs=100)
    assert n / worst == pytest.approx(1.5, rel=0.3)
    failed = failures(learner, hard, n=n // 3, limit=goal.alpha, runs=100, rng=Seeded(6))
    assert failed >= alarm(100, goal.beta)


def test_exact_failure_is_below_the_bound() -> None:
    """All throws, all samples of three rows of two points, exactly."""
    learner = ProtocolLearner(EqualityHashing(1, 3), epsilon=6)
    n, alpha = 3, F(1, 4)
    envelope = learner._envelope(alpha)
    assert envelope is not None
    for tenths in (2, 3, 5, 8):
        chances = (F(tenths, 10), 1 - F(tenths, 10))
        population = Population(np.arange(2), chances, (F(1), F(0)))
        failed = F(0)
        for rows in product(range(2), repeat=n):
            chance = chances[rows[0]] * chances[rows[1]] * chances[rows[2]]
            law = learner.law(_sample([(x, int(x == 0)) for x in rows]))
            for h, q in law.probabilities.items():
                failed += chance * q * (population.error(h) > alpha)
        assert failed <= envelope.failure(n)


def test_golden_runs_of_the_converse() -> None:
    assert runs_for(hit_probability(Pure("1/2"), 4, "1/4"), "1/20") == 28
    assert runs_for(hit_probability(Pure("1/4"), 37, "1/4"), "1/10") == 31943
    golden = {F(0): 2, F(3, 40): 3, F(1): 7, F(3): 55}
    for spent, runs in golden.items():
        assert runs_for(hit_probability(Pure(spent), 1, "1/2"), "1/4") == runs
    many = runs_for(hit_probability(Pure(1), 40, "1/4"), "1/10")
    assert abs(math.log(many) - 40 - math.log(math.log(10) / 0.75)) < 1e-9
    learner, goal = GenericLearner(Thresholds(32), epsilon=1), Accuracy("1/4", "1/4")
    n = learner.sample_size(goal)
    of = OfLearner(learner, goal, _sample([(0, 0)] * n), failure="1/8")
    assert of.size == of.runs == OfRepresentation(of).messages
    assert n < math.log(of.size) < n + 2
    assert (of.approximation, of.failure) == (F(1, 4), F(1, 8))
    with pytest.raises(TooLarge, match="runs"):
        of.draw(rng=Seeded(1))
    with pytest.raises(TooLarge, match="epsilon n"):
        hit_probability(Pure(10**400), 4, "1/4")


def test_a_learner_is_a_representation_and_boosts_itself() -> None:
    """Thresholds on two points: learner, its outputs on a public sample, majorities, learner.

    Exactly: the runs on the public sample hit every concept as often as promised, and the boosted
    representation errs less than the first learner did.
    """
    concepts, first = Thresholds(1), Accuracy("2/5", "3/10")
    learner = GenericLearner(concepts, epsilon=1)
    n = learner.sample_size(first)
    public = _sample([(0, 0)] * n)
    of = OfLearner(learner, first, public, failure="1/4")
    law = learner.law(public)
    good = hit_probability(learner.cost, n, first.beta)
    assert min(law[concept] for concept in concepts.concepts()) >= good
    assert of.failure <= F(1, 4)
    drawn = of.draw(rng=Seeded(1))
    assert drawn.size == of.size == 2 < of.runs
    assert of.approximation == F(2, 5)
    few = OfLearner(learner, first, public, failure="99/100")
    assert few.runs == 3
    lottery = list(few.lottery())
    assert len(lottery) == 3
    assert sum(p for p, _ in lottery) == 1
    boosted = Voted.until(of, approximation="3/10", failure="1/2", domain_size=2)
    assert (boosted.votes, boosted.draws) == (7, 2)
    assert boosted.approximation <= F(3, 10) < of.approximation
    found = boosted.draw(rng=Seeded(2))
    domain = concepts.domain()
    for concept in concepts.concepts():
        cells = found.cells(domain, np.where(concept(domain), 1, -1))
        assert cells.gains.max() == int(concept(domain).sum())
    with pytest.raises(InvalidArgument, match="public"):
        OfLearner(learner, first, _sample([(0, 0)]), failure="1/4")


WRITTEN = {
    "runs of thresholds": block_protocol(8, 2),
    "the best of a game": public_coin_value("thresholds(values=4)", 3).protocol,
    "a learner's runs": OfRepresentation(
        OfLearner(
            GenericLearner(Points(values=3), epsilon="1/4"),
            Accuracy("2/5", "2/5"),
            _sample([(0, 0)] * 23),
            failure="1/20",
            concepts=Points(values=3),
        )
    ),
    "a drawn representation": OfRepresentation(
        drawn_representation(public_coin_value("points(values=6)", 5).protocol, "1/3")
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_protocol_is_a_learner(name: str) -> None:
    """Sizes and errors are carried along, the law is a law, and what it puts out can be stored."""
    protocol = WRITTEN[name]
    drawn = drawn_representation(protocol)
    assert drawn.size == protocol.messages
    assert drawn.approximation * drawn.failure == protocol.error
    learner, goal = ProtocolLearner(protocol, epsilon=1), Accuracy("9/10", "9/10")
    from_sets = RepresentationLearner(drawn, epsilon=1)
    sample = _sample([(0, 0), (1, 1), (2, 1)])
    assert learner.law(sample) == from_sets.law(sample)
    assert sum(learner.law(sample).probabilities.values()) == 1
    assert learner.sample_size(goal) <= from_sets.sample_size(goal)
    hypothesis = learner(sample, rng=Seeded(1))
    assert hypothesis in learner.law(sample).probabilities
    outputs = parse_output(str(learner.hypotheses))
    assert outputs.decode(json.loads(json.dumps(outputs.encode(hypothesis)))) == hypothesis
    amplified = ProtocolLearner(protocol, epsilon=1, runs=3)
    assert amplified.amplified.error < protocol.error
    assert amplified(sample, rng=Seeded(2))(np.arange(3)).shape == (3,)


def test_a_protocol_that_never_errs_is_a_learner_without_loss() -> None:
    sure = PublicCoins.deterministic(range(4), np.eye(4, dtype=bool), Points(2))
    drawn = drawn_representation(sure)
    assert (drawn.approximation, drawn.failure, sure.error) == (0, 0, 0)
    goal = Accuracy("1/4", "1/4")
    rows = ProtocolLearner(sure, epsilon=1).sample_size(goal)
    assert rows == RepresentationLearner(drawn, epsilon=1).sample_size(goal)
    assert rows <= GenericLearner(Points(2), epsilon=1).sample_size(goal) + 5


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        ProtocolLearner(EqualityHashing(8, 16), epsilon=0)
    with pytest.raises(InvalidArgument, match="odd"):
        Amplified(EqualityHashing(8, 16), 2)
    with pytest.raises(InvalidArgument, match="more messages"):
        ProtocolLearner(LineHashing(101, 64), epsilon=1)
    with pytest.raises(InvalidArgument, match="approximation"):
        OfProtocol(EqualityHashing(8, 16), F(1, 100))
    request = Request(Points(40), Privacy(1), 500, None, F(1, 20), agnostic=False)
    promised = CATALOGUE["protocol"](request).accuracy(500, F(1, 20))
    assert promised is not None
    assert promised.alpha < F(1, 10)
