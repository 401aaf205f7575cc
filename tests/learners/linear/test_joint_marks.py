"""Marks of one column, learned together: bins, what one row moves, and what comes out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import InvalidArgument, Privacy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.cost import Pure
from tacit.learners import JointCounted, JointMargin, named
from tacit.learners.contract.entry import Request
from tacit.learners.linear.joint_margin import cut
from tacit.learners.made_from.added import for_added
from tacit.learners.made_from.by_person import ByPerson, scaled
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.statistics import JointCounts
from tacit.statistics.counts.marks import Marks, binned, joined

WARD, AGE = Marks(3, nested=False), Marks(3, nested=True)
CARDS = Scorecards("s20xc3")


def sample(marks: Marks, times: int = 40) -> JointCounts:
    held = [marks.holding[a // 5 if marks.nested else min(a // 6, 3)].tolist() for a in range(20)]
    rows = [((a, b), tuple(held[a])) for a in range(20) for b in range(3)] * times
    return JointCounts.of(rows, labels=3)


@pytest.mark.parametrize("marks", [WARD, AGE])
def test_every_row_is_in_one_bin(marks: Marks) -> None:
    whole = np.array(list(product([False, True], repeat=3)))
    bins = marks.bins(whole)
    assert set(bins.tolist()) == {0, 1, 2, 3}
    assert marks.bins(marks.holding).tolist() == [0, 1, 2, 3]


def test_bins_of_two_columns() -> None:
    held = JointCounts.of([(0, (0, 1, 0, 1)), (1, (1, 1, 1, 0))], labels=4)
    assert [each.tolist() for each in binned(held, (AGE, Marks(1, nested=False)))] == [
        [0, 3],
        [1, 0],
    ]
    assert joined((AGE,))
    assert not joined((Marks(1, nested=False),) * 3)


def test_pulls_are_cut_to_their_length() -> None:
    floats = np.random.default_rng(1)
    pulls = floats.integers(-3000, 3000, (2000, 5))
    short = cut(pulls, 1024)
    assert int((short * short).sum(axis=1).max()) <= 1024**2
    kept = (pulls * pulls).sum(axis=1) <= 1024**2
    assert (short[kept] == pulls[kept]).all()
    assert (np.sign(short) * np.sign(pulls) >= 0).all()


def test_a_row_moves_a_gradient_by_its_share_of_the_noise() -> None:
    learner = JointMargin(Scorecards("3"), rho=1, outcomes=(WARD, AGE), bits=4)
    rows = [(x, (*y, *z)) for x in range(3) for y in WARD.holding for z in AGE.holding]
    frame = learner._framed([0, 0], 4)
    starts = learner._starts([1, 1, 1, 3, 2, 1], 4, frame)
    weights = np.array([each.weights for each in starts.begun])
    moved = learner.noise(learner.whole).sensitivity_squared
    alone = []
    for row in rows:
        held = JointCounts.of([row], labels=6)
        both = learner.rows(frame, held.points)
        bins = binned(held, learner.outcomes)
        alone.append(learner.pulled(both, bins, held.totals, weights, starts.pulls).ravel())
    farthest = max(int(((a - b) ** 2).sum()) for a, b in product(alone, repeat=2))
    assert 0 < farthest <= moved


@pytest.mark.parametrize("marks", [WARD, AGE])
def test_both_learn(marks: Marks) -> None:
    held = sample(marks)
    for learner in (
        JointMargin.within(CARDS, Privacy(2, "1e-6"), (marks,)),
        JointCounted(CARDS, epsilon=2, outcomes=(marks,)),
    ):
        cards = learner(held, rng=Seeded(1))
        said = np.column_stack([card(held.points) for card in cards])
        wrong = ((said != held.marks) * held.totals[:, None]).sum() / (3 * held.n)
        constant = np.minimum(held.marks.mean(axis=0), 1 - held.marks.mean(axis=0)).mean()
        assert wrong < constant, learner


@pytest.mark.parametrize(("name", "delta"), [("margin", "1e-6"), ("counted", 0)])
def test_the_entry_joins_marks_of_one_column(name: str, delta: str | int) -> None:
    ask = Request(CARDS, Privacy(1, delta), 100, None, Fraction(1, 20), agnostic=True, labels=3)
    assert isinstance(named(name)(ask), DirectSum)
    bits = Request(
        CARDS, Privacy(1, delta), 100, None, Fraction(1, 20), agnostic=True, labels=3,
        outcomes=(Marks(1, nested=False),) * 3,
    )  # fmt: skip
    assert isinstance(named(name)(bits), DirectSum)
    made = named(name)(
        Request(
            CARDS, Privacy(1, delta), 100, None, Fraction(1, 20), agnostic=True, labels=3,
            outcomes=(WARD,),
        )
    )  # fmt: skip
    assert made.labels == 3
    assert isinstance(made, JointMargin | JointCounted)
    alone = named(name)(
        Request(CARDS, Privacy(1, delta), 100, None, Fraction(1, 20), agnostic=True)
    )
    assert made.cost == alone.cost  # no more than one mark


def test_persons_and_secret_numbers() -> None:
    for made in (
        JointMargin(CARDS, rho="1/8", outcomes=(AGE,)),
        JointCounted(CARDS, epsilon=1, outcomes=(AGE,)),
    ):
        row, person = (
            price(each, "1e-6").privacy.epsilon for each in (made.cost, ByPerson(made, 60).cost)
        )
        assert row * Fraction(99, 100) < person <= row
        assert scaled(made, 60).outcomes == (AGE,)  # type: ignore[attr-defined]
        added = for_added(made, 2000)
        assert added.outcomes == (AGE,)
        assert added.public_n == 2000
        assert len(added(sample(AGE, 10), rng=Seeded(1))) == 3
    assert rate(JointMargin(CARDS, rho="1/8", outcomes=(AGE,)).cost) == Fraction(1, 8)  # type: ignore[arg-type]
    assert JointCounted(CARDS, epsilon=1, outcomes=(AGE,)).cost == Pure(1)


def test_a_law_is_of_one_step() -> None:
    with pytest.raises(InvalidArgument, match="one step"):
        JointMargin(CARDS, rho=1, outcomes=(WARD,)).law(sample(WARD, 1))


def test_few_rows_are_told_the_more_frequent_answer() -> None:
    held = JointCounts.of([((0, 0), (0, 1, 0))] * 9, labels=3)
    for learner in (
        JointMargin(CARDS, rho="1/1000", outcomes=(WARD,)),
        JointCounted(CARDS, epsilon="1/10", outcomes=(WARD,)),
    ):
        cards = learner(held, rng=Seeded(1))
        assert all(len(set(card(held.points).tolist())) == 1 for card in cards)
