"""Learners from representations: codes checked exhaustively, golden numbers, promises."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.reed_solomon import Evaluation, ReedSolomon
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, GenericLearner, RepresentationLearner, Request
from tacit.statistics import LabelCounts
from tacit.theory.enough.mixture import MixtureBound
from tacit.theory.representations.drawn import Drawn, Fixed, Repeated, reed_solomon
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")
HALVES = Drawn(
    (Listed([Point(0), Point(1), NEVER]), Listed([Point(2), Point(3)])),
    OrNever(Points(2)),
    approximation="1/4",
    failure="1/2",
)


def _sample(rows: list[tuple[int, int]], nulls: int = 0) -> LabelCounts:
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    return LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)


@pytest.mark.parametrize(
    ("bits", "alpha", "size"),
    [(8, "1/4", 68), (16, "1/4", 204), (32, "1/4", 696), (64, "1/4", 2068), (4, "1/4", 17)],
)
def test_golden_codes(bits: int, alpha: str, size: int) -> None:
    code = reed_solomon(bits, alpha)
    assert code.size == size
    assert code.approximation <= F(alpha)
    assert code.failure == 0


@pytest.mark.parametrize("code", [ReedSolomon(5, 7, 4), ReedSolomon(6, 5, 5), ReedSolomon(3, 3, 3)])
def test_a_code_represents_every_point(code: ReedSolomon) -> None:
    """Exhaustively: the hypotheses of z say yes at z, and rarely together elsewhere."""
    domain = np.arange(1 << code.bits)
    values = np.array([Evaluation(code.prime, code.digits, u)(domain) for u in range(code.places)])
    for z in domain:
        agree = (values == values[:, z : z + 1]).mean(axis=0)
        assert agree[z] == 1
        assert np.delete(agree, z).max() <= float(code.approximation)


def test_a_code_is_the_least() -> None:
    """Against a search over all primes, not over the number of digits."""
    for bits, alpha in ((8, F(1, 4)), (12, F(1, 10)), (10, F(1, 3))):
        sizes = []
        for prime in range(2, 1 << bits):
            if all(prime % d for d in range(2, int(prime**0.5) + 1)):
                digits = next(k for k in range(1, 20) if prime**k >= 1 << bits)
                places = max(1, -(-(digits - 1) // alpha))
                if places <= prime:
                    sizes.append(prime * places)
        assert ReedSolomon.least(bits, alpha).size == min(sizes)


@pytest.mark.parametrize("bits", [6, 62])
def test_codes_are_stored_and_read_back(bits: int) -> None:
    code = ReedSolomon.least(bits, "1/4")
    assert parse_output(str(code)) == code
    rng = Seeded(1)
    points = [rng.below(1 << bits) for _ in range(40)]
    cells = code.cells(np.array(points), np.zeros(40, dtype=np.int64))
    assert sum(map(int, cells.multiplicities)) == code.size
    for cell in (0, 3, len(cells.gains) - 2):
        hypothesis = cells.member(cell, 0)
        assert code.decode(json.loads(json.dumps(code.encode(hypothesis)))) == hypothesis
        values = ", ".join(f"({x}::BIGINT)" for x in points)
        query = f'SELECT {hypothesis.sql(["key"])} FROM (VALUES {values}) AS t("key")'
        answers = [bool(answer) for (answer,) in duckdb.execute(query).fetchall()]
        assert answers == hypothesis(np.array(points)).tolist()
        assert "polynomial" in hypothesis.rule(["key"])
    for bad in ({"place": code.places, "value": 0}, {"place": 0, "value": code.prime}, {}):
        with pytest.raises(InvalidArgument, match="no hypothesis"):
            code.decode(bad)
    with pytest.raises(TooLarge, match="predict in Python"):
        ReedSolomon.least(100, "1/4").decode({"place": 0, "value": 0}).sql(["key"])


def test_cells_are_the_hypotheses() -> None:
    code = ReedSolomon(4, 5, 3)
    points, gains = np.array([0, 3, 7, 15]), np.array([2, -1, 4, 1])
    cells = code.cells(points, gains)
    seen = set()
    for cell, (gain, many) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        for rank in range(int(many)):
            hypothesis = cells.member(cell, rank)
            seen.add(hypothesis)
            assert int(gains[hypothesis(points)].sum()) == gain
    assert len(seen) == code.size == 15


def test_the_law_is_the_formula() -> None:
    rows = [(0, 1), (3, 1), (3, 1), (2, 0)]
    decay, law = Decay.of(F(1, 2)), RepresentationLearner(HALVES, epsilon=1).law(_sample(rows))
    for among in HALVES.sets:
        assert isinstance(among, Listed)
        counts = [
            sum(bool(h(np.array([x]))[0]) != bool(y) for x, y in rows) for h in among.hypotheses
        ]
        total = sum(decay.power(c) for c in counts)
        for h, c in zip(among.hypotheses, counts, strict=True):
            assert law[h] == decay.power(c) / total / 2


def test_repetitions_count_twice() -> None:
    twice = Repeated(HALVES, 2)
    lottery = list(twice.lottery())
    assert [p for p, _ in lottery] == [F(1, 4)] * 4
    assert sorted(among.size for _, among in lottery) == [4, 5, 5, 6]
    assert twice.size == 6
    assert twice.failure == F(1, 4)
    assert twice.draw(rng=Seeded(0)).size in (4, 5, 6)
    quarter = Drawn(HALVES.sets, HALVES.outputs, approximation="1/4", failure="1/4")
    found = [Repeated.until(quarter, b).draws for b in ("0.25", "0.2", "1/16", "0.06", "0.01")]
    assert found == [1, 2, 2, 3, 4]


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    learner = RepresentationLearner(Repeated(HALVES, 2), epsilon=1)
    sample, rng, runs = _sample([(0, 1), (3, 1), (3, 1), (2, 0)]), Seeded(3), 4000
    drawn, law = [learner(sample, rng=rng) for _ in range(runs)], learner.law(sample)
    assert set(drawn) <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        assert abs(drawn.count(hypothesis) / runs - p) < 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def test_golden_sizes() -> None:
    near = RepresentationLearner(Fixed(Points(10), Points(10), "0.05"), epsilon=1)
    assert near.sample_size(GOAL) == 1147
    assert near.sample_size(Accuracy("0.1", "0.9")) == near.sample_size(Accuracy("0.1", "0.5"))
    loud = RepresentationLearner(Fixed(Points(10), Points(10), "0.01"), epsilon=10)
    assert [loud.sample_size(Accuracy("0.1", beta)) for beta in ("0.05", "0.25")] == [208, 174]
    table = {  # size, approximation, failure, alpha, beta, epsilon: rows by a union bound
        (100, "0.01", "0.0125", "0.06", "0.05", 1): 457,
        (100, "0.01", "0.0125", "0.06", "0.05", "0.1"): 3261,
        (16, "0.05", "0.0125", "0.3", "0.05", 1): 67,
        (10**6, "0.01", "0.0125", "0.06", "0.05", 1): 991,
        (100, "0.01", "0.0125", "0.06", "0.05", 4): 372,
    }
    for (size, near0, fails, alpha, beta, epsilon), rows in table.items():
        among = Points(values=size)
        drawn = Drawn((among,), among, approximation=near0, failure=fails)
        learner = RepresentationLearner(drawn, epsilon=epsilon)
        assert 0.98 * rows <= learner.sample_size(Accuracy(alpha, beta)) <= rows


def test_many_near_hypotheses_need_fewer_rows() -> None:
    sizes = [
        RepresentationLearner(reed_solomon(bits, near), epsilon=1).sample_size(GOAL)
        for bits, near in ((16, "1/200"), (64, "1/100"), (1024, "1/150"))
    ]
    assert sizes == [226, 266, 334]
    alone = Fixed(ReedSolomon.least(64, "1/100"), Points(64), "1/100")
    assert RepresentationLearner(alone, epsilon=1).sample_size(GOAL) > 450
    bound = MixtureBound(601 * 600, 600, "0.1", F(1, 300), Decay.of(F(1, 2)))
    few = MixtureBound(3, 2, "1/2", F(0), Decay(F(1, 2)))  # 3/2 (3/4)^n against 1
    assert few.sample_size("1/2") == 2
    assert 0 <= few.failure(2) - F(27, 59) < F(1, 2**100)
    n = bound.sample_size("0.05")
    assert bound.failure(n) <= F(1, 20) < bound.failure(n - 1)
    with pytest.raises(InvalidArgument, match="no n suffices"):
        MixtureBound(9, 3, "0.1", "0.2", Decay.of(F(1, 2))).sample_size("0.05")


def test_bad_hypotheses_among_those_near_are_counted() -> None:
    """The target, and one that errs on either half: together they err 1/3 everywhere.

    Two of three err more than 2/5. With few rows one of them is chosen more often than w / (1 + w).
    """
    q = F(9, 10)
    bound = MixtureBound(3, 3, "2/5", F(1, 3), Decay(q))
    for n in range(12):
        fails = F(0)
        for a in range(n + 1):
            odds = q**a + q ** (n - a)
            fails += F(comb(n, a), 2**n) * odds / (1 + odds)
        assert F(1, 2) < fails <= bound.failure(n)
        assert not bound.suffices(n, "1/2")
    assert bound.possible
    with pytest.raises(InvalidArgument, match="use a finer one, or a smaller beta"):
        bound.sample_size("0.1")
    assert bound.holds("0.08")
    assert bound.failure(bound.sample_size("0.08")) <= F(8, 100)


def test_exact_failure_of_a_code() -> None:
    """Three places, four points, all samples of four rows: exactly, and below the bound."""
    n, alpha, code = 4, F(2, 5), ReedSolomon(2, 3, 3)
    learner = RepresentationLearner(Fixed(code, code, "1/3", together=3), epsilon=2)
    bound = MixtureBound(9, 3, alpha, F(1, 3), Decay.of(F(1))).failure(n)
    for weights in ((4, 2, 2, 2), (5, 1, 1, 1), (9, 4, 4, 4)):
        chances = masses(*weights)
        population = Population(np.arange(4), chances, (F(1), F(0), F(0), F(0)))
        failed, bad = F(0), {}
        for rows in combinations_with_replacement(range(4), n):
            chance, orders = F(1), len(set(permutations(rows)))
            for x in rows:
                chance *= chances[x]
            law = learner.law(_sample([(x, int(x == 0)) for x in rows]))
            for h, p in law.probabilities.items():
                if h not in bad:
                    bad[h] = population.error(h) > alpha
                failed += chance * orders * p * bad[h]
        assert failed <= bound


def test_a_class_represents_itself() -> None:
    itself = Fixed(Points(10), Points(10), 0)
    for agnostic in (False, True):
        small = RepresentationLearner(itself, epsilon=1, agnostic=agnostic)
        generic = GenericLearner(Points(10), epsilon=1, agnostic=agnostic)
        assert small.sample_size(GOAL) == generic.sample_size(GOAL)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5000), st.booleans())
def test_accuracy_inverts_sample_size(n: int, agnostic: bool) -> None:
    learner = RepresentationLearner(reed_solomon(40, "0.01"), epsilon=1, agnostic=agnostic)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", "0.05")) > n
    else:
        assert learner.sample_size(promised) <= n
        better = Accuracy(promised.alpha * F(99, 100), promised.beta)
        assert better.alpha <= F(1, 100) or learner.sample_size(better) > n


@given(
    st.lists(st.tuples(st.integers(-5, 1 << 80), st.integers(0, 1)), max_size=12),
    st.sampled_from([3, 62, 100]),
    st.integers(0, 3),
)
def test_any_sample_gives_a_hypothesis(rows: list[tuple[int, int]], bits: int, nulls: int) -> None:
    learner = RepresentationLearner(reed_solomon(bits, "1/3"), epsilon=3)
    found = learner(_sample(rows, nulls), rng=Seeded(1))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def _agreeing(code: ReedSolomon, z: int, count: int) -> list[int]:
    """Return points that agree with z in as many places as can be, in different ones each."""
    p, k, start = code.prime, code.digits, 0
    found: list[int] = []
    own = [z // p**i % p for i in range(k)]
    while len(found) < count:
        factor = [1]
        for place in [(start + j) % code.places for j in range(k - 1)]:
            shifted = [0, *factor]
            factor = [
                (shifted[i] - place * (factor[i] if i < len(factor) else 0)) % p
                for i in range(len(shifted))
            ]
        for scale in range(1, p):
            x = sum((own[i] + scale * factor[i]) % p * p**i for i in range(k))
            if x < 1 << code.bits:
                found.append(x)
                break
        start += k - 1
    return found


def _populations(code: ReedSolomon) -> dict[str, Population]:
    just, z = F(1001, 10000), 1 << (code.bits - 2)
    friends = _agreeing(code, z, 9)

    def made(points: list[int], *weights: F | int) -> Population:
        yes = tuple(F(int(x == z)) for x in points)
        return Population(np.array(points), masses(*weights), yes)

    return {
        "one heavy negative": made([z, 5], just, 1 - just),
        "points that agree with the target": made([z, *friends], just, *[just] * 9),
        "light friends": made([z, *friends], 10, *[1] * 9),
        "light target": made([z, *range(20)], F(1, 20), *[F(19, 400)] * 20),
        "heavy target": made([z, 3], 1, 1),
        "nothing but the target": made([z], 1),
        "a target that never occurs": made([2, 3, 4], 1, 1, 1),
    }


def test_the_promise() -> None:
    request = Request(Points(30), Privacy(1), 1, GOAL.alpha, GOAL.beta, agnostic=False)
    assert CATALOGUE["representation"](request).sample_size(GOAL) == 247
    learner = RepresentationLearner(reed_solomon(20, "0.02"), epsilon=1)
    code = learner.representation.among  # type: ignore[attr-defined]
    populations = _populations(code)
    n = kept(learner, populations, GOAL, runs=100)
    hard = populations["one heavy negative"]
    worst = needed(learner, hard, GOAL, most=n, runs=100)
    assert n / worst == pytest.approx(1.4, rel=0.3)
    failed = failures(learner, hard, n=n // 3, limit=GOAL.alpha, runs=100, rng=Seeded(6))
    assert failed >= alarm(100, GOAL.beta)


def test_exact_failure_of_a_drawn_representation() -> None:
    """Every half of four points, by a fair coin; all samples of three rows, exactly."""
    n, alpha, learner = 3, F(1, 3), RepresentationLearner(HALVES, epsilon=4)
    bound = F(1, 2) + F(1, 2) * learner._bounds(alpha)[0].failure(n)
    for weights in ((4, 1, 1, 2), (1, 1, 1, 1), (9, 1, 0, 0)):
        chances = masses(*weights)
        population = Population(np.arange(4), chances, (F(1), F(0), F(0), F(0)))
        failed = F(0)
        for rows in product(range(4), repeat=n):
            chance = chances[rows[0]] * chances[rows[1]] * chances[rows[2]]
            if chance:
                law = learner.law(_sample([(x, int(x == 0)) for x in rows]))
                for h, p in law.probabilities.items():
                    failed += chance * p * (population.error(h) > alpha)
        assert failed <= bound < 1


def test_requests_and_bad_arguments() -> None:
    learner = RepresentationLearner(HALVES, epsilon=1)
    with pytest.raises(InvalidArgument, match="finer"):
        learner.sample_size(GOAL)
    assert learner.accuracy(100, "0.4") is None
    with pytest.raises(InvalidArgument, match="epsilon"):
        RepresentationLearner(HALVES, epsilon=0)
    with pytest.raises(InvalidArgument, match="prime"):
        ReedSolomon(8, 9, 2)
    with pytest.raises(InvalidArgument, match="sets"):
        Drawn((), Points(2), approximation=0, failure=0)
    request = Request(Points(40), Privacy(1), 2000, None, F(1, 20), agnostic=True)
    promised = CATALOGUE["representation"](request).accuracy(2000, F(1, 20))
    assert promised is not None
    assert promised.alpha < F(1, 8)
