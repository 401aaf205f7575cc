"""Protocols and representations turned into each other, exactly, with the golden numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from tacit.concepts.contract.hypothesis_set import answers
from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import GenericLearner, OfLearner
from tacit.statistics import LabelCounts
from tacit.theory.communication.conversions import (
    drawn_representation,
    fixed_representation,
    private_protocol,
    public_protocol,
)
from tacit.theory.communication.greater_than import block_error, block_protocol
from tacit.theory.communication.newman import newman, newman_seeds, pruned
from tacit.theory.communication.one_way import (
    PrivateCoins,
    PublicCoins,
    Rows,
    product_bits,
)
from tacit.theory.communication.protocols import Amplified, OfRepresentation
from tacit.theory.communication.public_coin import check_lower, public_coin_value
from tacit.theory.representations.drawn import drawn, drawn_by, fixed_by, written_out
from tacit.theory.representations.majorities import Voted, outvoted, votes_for
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    representation_value,
    represents,
)
from tacit.theory.representations.union_derandomisation import direct_draws, fixed_from_drawn
from tacit.theory.solving.incidence import Incidence

F = Fraction


def thresholds(n: int) -> Rows:
    return np.arange(n)[None, :] >= np.arange(n)[:, None]


def random_protocol(seed: int, concepts: Rows, messages: int) -> PublicCoins:
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, 3)
    return PublicCoins(
        tuple(
            (
                F(int(w), int(weights.sum())),
                tuple(int(c) for c in rng.integers(0, messages, len(concepts))),
                rng.random((messages, concepts.shape[1])) < 0.5,
            )
            for w in weights
        ),
        concepts,
    )


@pytest.mark.parametrize("seed", range(20))
def test_public_coins_to_representation(seed: int) -> None:
    concepts = thresholds(4)
    protocol = random_protocol(seed, concepts, 3)
    error = protocol.error
    drawn_sets = written_out(protocol.lottery(), concepts)
    for alpha in ("1/4", "1/3", "1/2", "9/10"):
        for concept in concepts:
            assert drawn_sets.failure(concept, alpha) <= error / F(alpha)
        if error < F(alpha):
            promised = drawn_representation(protocol, alpha)
            exactly = drawn_by(drawn_sets, concepts, alpha)
            assert exactly.failure <= promised.failure == error / F(alpha)
            assert exactly.size <= promised.size == protocol.messages


@pytest.mark.parametrize("seed", range(15))
def test_representation_to_public_coins(seed: int) -> None:
    """The error is at most alpha + beta - alpha beta, for the least beta of every alpha."""
    rng = np.random.default_rng(seed)
    concepts = np.unique(rng.random((4, 4)) < 0.5, axis=0)
    sets = tuple(np.unique(rng.random((3, 4)) < 0.5, axis=0) for _ in range(3))
    weights = rng.integers(1, 4, 3)
    chances = tuple(F(int(w), int(weights.sum())) for w in weights)
    representation = ProbabilisticRepresentation(sets, chances)
    protocol = public_protocol(representation, concepts)
    assert protocol.messages == max(map(len, sets))
    errors = protocol.errors
    for alpha in (F(0), F(1, 4), F(2, 5), F(1, 2)):
        for concept, row in zip(concepts, errors, strict=True):
            beta = representation.failure(concept, alpha)
            assert max(row) <= alpha + beta - alpha * beta


@pytest.mark.parametrize("seed", range(20))
def test_private_coins_and_fixed_representations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    concepts = np.unique(rng.random((5, 4)) < 0.5, axis=0)
    hypotheses = np.unique(rng.random((4, 4)) < 0.5, axis=0)
    protocol = private_protocol(hypotheses, concepts)
    values = [representation_value(hypotheses, concept).upper for concept in concepts]
    assert protocol.error == max(values)
    assert protocol.bob_throws_no_coins
    if max(values) < 1:
        fixed = fixed_representation(protocol)
        assert fixed.approximation == fixed_by(hypotheses, concepts).approximation == max(values)
        assert (answers(fixed.among, np.arange(4)) == hypotheses).all()
        assert private_protocol(fixed, concepts).error == protocol.error
    bob = tuple(tuple(F(int(p), 8) for p in line) for line in rng.integers(0, 9, (3, 4)))
    alice = tuple(_random_line(rng, 3) for _ in concepts)
    noisy = PrivateCoins(alice, bob, concepts)
    twice = 2 * noisy.error
    if twice < 1:
        within = fixed_representation(noisy)
        assert within.approximation == twice
        assert represents(answers(within.among, np.arange(4)), concepts, twice)


def test_bob_who_throws_coins_is_twice_as_far() -> None:
    """He leans to the right answer at each point, and errs in one of eight cases."""
    concepts = thresholds(4)
    bob = [tuple(F(7, 8) if right else F(1, 8) for right in line) for line in concepts]
    alice = [tuple(F(int(i == j)) for j in range(len(bob))) for i in range(len(bob))]
    noisy = PrivateCoins(alice, bob, concepts)
    assert (noisy.error, noisy.bob_throws_no_coins) == (F(1, 8), False)
    assert fixed_representation(noisy).approximation == F(1, 4)


def test_roots_of_errors_are_rounded_up() -> None:
    protocol = public_coin_value(Incidence.of(thresholds(5)), 3).protocol
    near = drawn_representation(protocol).approximation
    assert (near - F(1, 1 << 32)) ** 2 < protocol.error == F(1, 6) < near**2


def _random_line(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    parts = rng.integers(1, 6, size)
    return tuple(F(int(p), int(parts.sum())) for p in parts)


def test_the_chain_from_the_exact_value_to_a_fixed_representation() -> None:
    concepts = thresholds(5)
    found = public_coin_value(Incidence.of(concepts), 3)
    protocol = found.protocol
    assert protocol.error == found.upper == F(1, 6)
    private = newman(protocol, "1/3", rng=Seeded(1))
    seeds = newman_seeds(F(1, 6), "1/3", concepts.size)
    assert private.messages <= 3 * seeds
    assert private.bob_throws_no_coins
    assert private.error <= F(1, 3)
    hypotheses = answers(fixed_representation(private).among, np.arange(5))
    assert represents(hypotheses, concepts, "1/3")
    least = pruned(hypotheses, concepts, "1/3")
    assert represents(least, concepts, "1/3")
    assert 4 <= len(least) <= len(hypotheses)  # four are enough, by another choice
    fewer = combinations(range(len(least)), len(least) - 1)
    assert not any(represents(least[list(kept)], concepts, "1/3") for kept in fewer)


def test_golden_numbers_of_seeds() -> None:
    assert [newman_seeds("1/9", "1/3", 2**k) for k in (4, 16, 32, 64)] == [6, 51, 111, 237]
    just_below_one = 1 - F(1, 10**30)
    some = [newman_seeds("1/9", "1/3", 2**k, miss=just_below_one) for k in (4, 16, 32, 64)]
    assert some == [3, 45, 108, 234]
    assert direct_draws(8, 256, 256, failure="1/3", slack="0.1") == (403, 404)


def test_a_drawn_representation_becomes_fixed() -> None:
    points = np.eye(5, dtype=bool)
    some = tuple(points[list(kept)] for kept in combinations(range(5), 4))
    representation = ProbabilisticRepresentation(some, (F(1, 5),) * 5)
    assert representation.represents(points, "1/4", "1/5")
    draws, union = fixed_from_drawn(representation, points, "1/4", rng=Seeded(0))
    promised, _ = direct_draws(4, 5, 5, failure="1/5", slack="1/100")
    assert draws <= promised
    assert represents(union, points, "1/4")
    with pytest.raises(InvalidArgument, match="draws"):
        fixed_from_drawn(representation, ~points, "1/4", rng=Seeded(0), most=3)


def test_golden_numbers_of_repetitions() -> None:
    golden = {
        ("7/16", "1/3"): 13,
        ("1/3", "1/8"): 11,
        ("1/3", "1/16"): 21,
        ("1/4", "1/16"): 9,
        ("1/3", "0.1"): 15,
        ("1/3", "0.01"): 47,
        ("15/64", "0.01"): 17,
        ("1/3", "1e-4"): 117,
    }
    for (error, goal), runs in golden.items():
        assert votes_for(error, goal) == runs
        assert outvoted(runs, error) <= F(goal) < outvoted(runs - 2, error)


def test_repetition_written_out() -> None:
    """The coins of three runs, and the three messages that Alice sends: every pair is counted."""
    protocol = block_protocol(4, 2)
    thrice = Amplified(protocol, 3)
    assert thrice.messages == protocol.messages**3
    concepts, often = thresholds(4), np.zeros((4, 4), dtype=object)
    for runs in product(protocol.mixture, repeat=3):
        votes = sum(said[list(cells)].astype(int) for _, cells, said in runs)
        often += prod(p for p, _, _ in runs) * ((votes > 1) != concepts).astype(int)
    for c, x in product(range(4), range(4)):
        assert often[c][x] == outvoted(3, protocol.errors[c][x])
    assert often.max() == thrice.error
    table = written_out(thrice.lottery(), "thresholds(values=4)")
    assert public_protocol(table, "thresholds(values=4)").error <= thrice.error


@pytest.mark.parametrize("seed", range(10))
def test_majorities_of_a_fixed_representation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    concepts = np.unique(rng.random((4, 4)) < 0.5, axis=0)
    hypotheses = np.unique(rng.random((4, 4)) < 0.5, axis=0)
    alpha = max(representation_value(hypotheses, c).upper for c in concepts)
    if alpha < F(1, 2):
        voted = Voted(fixed_by(hypotheses, concepts), 3, 1)
        assert voted.approximation == outvoted(3, alpha)
        ((_, among),) = voted.lottery()
        assert represents(answers(among, np.arange(4)), concepts, voted.approximation)


@pytest.mark.parametrize(("values", "block"), [(8, 2), (8, 3), (16, 4), (32, 8), (7, 7), (5, 1)])
def test_runs_of_thresholds(values: int, block: int) -> None:
    protocol = block_protocol(values, block)
    error = protocol.error
    assert protocol.concepts == parse(f"thresholds(values={values})")
    assert error <= block_error(block)
    assert protocol.messages <= -(-(values + block - 1) // block)
    if values >= 2 * block:
        assert error == block_error(block)
    z, y = values // 2, values // 3
    said = {protocol.answer(z, y, rng=Seeded(seed)) for seed in range(60)}
    sure = protocol.errors[z][y] == 0
    assert len(said) == (1 if sure else 2)


def test_a_learner_is_a_protocol() -> None:
    """Points on three values: learner, its runs on a public sample, protocol, learner's error."""
    concepts = parse("points(values=3)")
    rows = np.array([c(concepts.domain()) for c in concepts.concepts()])
    learner = GenericLearner(concepts, epsilon="1/4")
    goal = Accuracy("9/20", "9/20")
    n = learner.sample_size(goal)
    public = LabelCounts.of([(0, (0,))] * n, labels=1)
    for failure in ("98/100", "1/4"):
        of = OfLearner(learner, goal, public, failure=failure)
        assert of.runs > 1
        protocol = public_protocol(of, rows)
        assert protocol.messages == of.size == min(of.runs, 3)
        declared = OfRepresentation(of)
        assert protocol.error <= declared.error == goal.alpha + of.failure * (1 - goal.alpha)


def test_product_distributions() -> None:
    eighth = Incidence.of(thresholds(8))
    even = np.ones((8, 8), dtype=np.int64)
    golden = ["1/4", "1/8", "5/64", "1/16", "3/64"]
    assert [check_lower(eighth, even, s) for s in range(1, 6)] == [F(v) for v in golden]
    parities = Incidence.of_class(parse("parities(dims=3)"))
    golden = ["7/16", "19/64", "1/4", "3/16", "5/32"]
    assert [check_lower(parities, even, s) for s in range(1, 6)] == [F(v) for v in golden]
    for d, golden in ((2, ["1/4", "1/8"]), (3, ["1/4", "5/24", "1/6", "1/8", "1/12", "1/24"])):
        cube = Incidence.of(np.array(list(product((0, 1), repeat=d))))
        ones = np.ones((2**d, d), dtype=np.int64)
        found = [check_lower(cube, ones, s) for s in range(2, len(golden) + 2)]
        assert found == [F(v) for v in golden]
    low, high = product_bits(5, "1/8")
    assert (round(float(low), 2), high) == (2.28, 20)
    assert product_bits(0, "1/8") == product_bits(3, "1/2") == (0, 0)


def test_what_is_no_protocol_is_refused() -> None:
    one = np.array([[True]])
    with pytest.raises(InvalidArgument, match="add up"):
        PublicCoins(((F(1, 2), (0,), one),), one)
    with pytest.raises(InvalidArgument, match="line of answers"):
        PublicCoins(((F(1), (1,), one),), one)
    with pytest.raises(InvalidArgument, match="2 concepts and 1 points"):
        PublicCoins(((F(1), (0,), one),), np.array([[0], [1]]))
    with pytest.raises(InvalidArgument, match="add up"):
        PrivateCoins(((F(1, 2),),), ((F(1),),), one)
    with pytest.raises(InvalidArgument, match="same messages"):
        PrivateCoins(((F(1),),), ((F(1),), (F(0),)), one)
    with pytest.raises(InvalidArgument, match="between"):
        PrivateCoins(((F(1),),), ((F(2),),), one)
    with pytest.raises(InvalidArgument, match="each concept"):
        PrivateCoins(((F(1),),), ((F(1),),), np.array([[0], [1]]))
    with pytest.raises(InvalidArgument, match="goal"):
        newman_seeds("1/3", "1/3", 16)
    with pytest.raises(InvalidArgument, match="block"):
        block_protocol(4, 5)
    with pytest.raises(TooLarge):
        block_protocol(1 << 20, 2)


def test_running_a_private_protocol_follows_its_probabilities() -> None:
    protocol = PrivateCoins(((F(1, 4), F(3, 4)),), ((F(1),), (F(1, 3),)), np.array([[1]]))
    said = sum(protocol.answer(0, 0, rng=Seeded(seed)) for seed in range(4000))
    assert abs(said - 2000) < 240  # 1/4 + 1/4 = 1/2; 7.5 standard deviations: 1e-13
    counts = [drawn((F(1, 3), F(2, 3)), rng=Seeded(seed)) for seed in range(3000)]
    assert abs(sum(counts) - 2000) < 200
