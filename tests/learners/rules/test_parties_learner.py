"""Several tables, one rule: the law, the promise, totality, and the command with a file a party."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.line.points import Points
from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.data import Bits, Schema
from tacit.learners import PartiesLearner, PartyCounts, PartyTables, named
from tacit.learners.rules.parties_learner import at_least
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm
from tacit.workflows import learn, rules
from tests.interfaces.cli.test_command import call
from tests.learners.rules.test_parties import _hard

F = Fraction
GOAL = Accuracy("0.2", "0.1")


def _learner(dims: int = 2, parties: int = 2, epsilon: str = "1") -> PartiesLearner:
    return PartiesLearner(Conjunctions(dims, dims), epsilon=epsilon, parties=parties, beta="0.1")


@pytest.mark.parametrize("ratio", [F(1, 2), F(9, 10)])
def test_two_noises_together(ratio: Fraction) -> None:
    far = np.arange(-600, 601)
    one = (1 - float(ratio)) / (1 + float(ratio)) * float(ratio) ** np.abs(far)
    both = np.convolve(one, one)
    for bound in (-30, -1, 0, 1, 2, 17):
        expected = both[np.arange(-1200, 1201) >= bound].sum()
        assert float(at_least(Decay(ratio), bound)) == pytest.approx(expected, rel=1e-9)


def test_the_sampler_follows_the_law() -> None:
    learner, rng, runs = _learner(epsilon="3"), Seeded(5), 3000
    north = LabelCounts.of([((0, 1), (1,)), ((1, 1), (1,)), ((0, 0), (0,))], labels=1)
    south = LabelCounts.of([((1, 0), (1,)), ((7, -2), (1,))], labels=1)
    tables = PartyTables((north, south))
    law = learner.law(tables)
    assert sum(law.probabilities.values()) == 1
    seen = Counter(learner(tables, rng=rng) for _ in range(runs))
    likely = {h: float(p) * runs for h, p in law.probabilities.items() if p * runs > 5}
    statistic = sum((seen[h] - e) ** 2 / e for h, e in likely.items())
    assert len(likely) >= 4
    assert statistic < chi2.isf(1e-9, len(likely))


def test_every_party_adds_noise_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def noisy(_: PartyCounts, sample: LabelCounts, *, label: int, rng: Random) -> tuple[int, ...]:
        asked.append(id(sample))
        return (rng.below(1) + label,) * 4

    monkeypatch.setattr(PartyCounts, "__call__", noisy)
    tables = tuple(LabelCounts.of([((x, 1), (1,))], labels=1) for x in (0, 1))
    _learner()(PartyTables(tables), rng=Seeded(1))
    assert asked == [id(table) for table in tables]


def test_one_table_is_dealt_out() -> None:
    learner = _learner(parties=2)
    rows = [((1, j % 2), (1,)) for j in range(700)] + [((0, 1), (0,))] * 700
    sample = LabelCounts.of(rows, labels=1)
    assert learner(sample, rng=Seeded(1)).rule(["a", "b"]) == "a is 1"
    halves = sample.split([700, 700], rng=Seeded(2))
    assert learner.law(PartyTables(halves)) == learner.law(sample)


def test_sizes_are_those_of_the_messages() -> None:
    for parties in (2, 5):
        counts = PartyCounts(3, epsilon=1, monotone=False)
        assert _learner(3, parties).sample_size(GOAL) == counts.sample_size(GOAL, parties=parties)
    assert _learner().cost == Pure(1)
    promised = _learner().accuracy(2000, "0.2")
    assert promised is not None
    assert promised.alpha == _learner().accuracy(2000, "0.1").alpha  # type: ignore[union-attr]
    assert _learner().accuracy(2000, "0.05") is None
    assert not _learner().proper
    assert not _learner().agnostic
    assert _learner().largest_sample is None
    assert named("parties").theorem == _learner().theorem


def test_the_promise_is_kept_and_not_wasteful() -> None:
    learner, rng, runs = _learner(3), Seeded(3), 200
    n = learner.sample_size(GOAL)

    def failed(population: Population, rows: int, times: int) -> int:
        sizes = (rows // 3, rows - rows // 3)
        return sum(
            population.error(
                learner(PartyTables(tuple(population.draw(k, rng=rng) for k in sizes)), rng=rng)
            )
            > GOAL.alpha
            for _ in range(times)
        )

    hard = _hard(3, GOAL.alpha)
    assert len(hard) >= 5
    for name, population in hard.items():
        assert failed(population, n, runs) < alarm(runs, GOAL.beta), name
    assert failed(hard["each literal a little"], n // 4, runs) >= alarm(runs, GOAL.beta)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.tuples(*[st.integers(-1, 2)] * 2), st.tuples(st.booleans()))),
        min_size=3,
        max_size=3,
    )
)
def test_any_tables_give_a_hypothesis(
    tables: list[list[tuple[tuple[int, int], tuple[bool]]]],
) -> None:
    learner = _learner(parties=3)
    held = PartyTables(tuple(LabelCounts.of(rows, labels=1) for rows in tables))
    found = learner(held, rng=Seeded(1))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="conjunctions"):
        PartiesLearner(Points(4), epsilon=1, parties=2)
    with pytest.raises(InvalidArgument, match="parties"):
        _learner(parties=1)
    with pytest.raises(InvalidArgument, match="made for"):
        _learner().sample_size(Accuracy("0.1", "0.01"))
    empty = LabelCounts.of([], labels=1)
    with pytest.raises(InvalidArgument, match="got 1 tables"):
        _learner()(PartyTables((empty,)), rng=Seeded(0))
    for large in (_learner(parties=3), _learner(dims=7)):
        with pytest.raises(TooLarge):
            large.law(empty)


SCHEMA = Schema({name: Bits() for name in ("fever", "cough", "ill", "tired")})


def _rows(n: int) -> list[tuple[int, ...]]:
    cells = product((0, 1), repeat=2)
    kinds = [(fever, cough, fever & cough, fever) for fever, cough in cells]
    return [kinds[j % 4] for j in range(n)]


def test_the_command_takes_a_file_from_each_party(tmp_path: Path) -> None:
    files = []
    for name, n in (("north", 5000), ("south", 3000)):
        files.append(str(tmp_path / f"{name}.csv"))
        with Path(files[-1]).open("w", newline="") as file:
            csv.writer(file).writerows([tuple(SCHEMA.names), *_rows(n)])
    schema = tmp_path / "s.toml"
    schema.write_text(SCHEMA.dump())
    asked = ("--schema", str(schema), "--class", "conjunctions", "--epsilon", "1", "--realisable")
    named_columns = ("--features", "fever,cough", "--labels", "ill", "--learner", "parties")
    out = ("--out", str(tmp_path / "model.json"), "--seed", "1")
    ended = call("learn", *files, *asked, *named_columns, *out)
    assert "ill: yes if fever is yes and cough is yes" in ended.stdout
    assert "any one of the 8000 rows" in ended.stdout or "NOT PRIVATE" in ended.stdout
    alone = call("learn", files[0], *asked, *named_columns, *out)
    assert alone.returncode != 0
    assert "one table from each party" in alone.stderr


def test_parties_share_one_budget_for_all_labels() -> None:
    tables = [
        {name: [row[i] for row in _rows(n)] for i, name in enumerate(SCHEMA.names)}
        for n in (9000, 6000, 5000)
    ]
    model = learn(
        tables, SCHEMA, concepts="conjunctions", features=["fever", "cough"],
        labels=["ill", "tired"], epsilon=1, learner="parties", agnostic=False, rng=Seeded(2),
    )  # fmt: skip
    assert rules(model) == ["fever is yes and cough is yes", "fever is yes"]
    assert (model.n, model.privacy.epsilon) == (20_000, 1)
    alone = named("parties").make
    assert alone is not None
    assert model.accuracy is not None
    assert model.accuracy.alpha < F(1, 10)
