"""The audit of samplers: it bites, it errs as rarely as it says, and it needs a sampler."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

import pytest

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.verify.dealing import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe, apart, sound

F = Fraction


@dataclass(frozen=True)
class Coin:
    """Heads with a probability by its law, and with another one by its sampler."""

    said: Fraction
    done: Fraction
    other: str = "tails"

    def law(self, _: int) -> Law[str]:
        return Law({"heads": self.said, "tails": 1 - self.said})

    def __call__(self, _: int, *, rng: Random) -> str:
        return "heads" if rng.below(self.done.denominator) < self.done.numerator else self.other


def probe(coin: Coin, runs: int = 2000) -> Probe:
    return Probe(Case("coin", "", "mechanism", Pure(1), (0, 1), 100, Route(coin, sum)), runs)


def test_a_sampler_that_follows_its_law_passes() -> None:
    found = sound(probe(Coin(F(1, 3), F(1, 3))), failure=1e-9, rng=Seeded(0))
    assert (found.verdict, found.apart) == ("not refuted", 0.0)
    assert found.finding is not None
    assert found.finding.verdict == "not refuted", "a few pairs never prove"


@pytest.mark.parametrize(
    "coin",
    [
        Coin(F(1, 3), F(1, 2)),
        Coin(F(1, 2), F(1, 3)),
        Coin(F(1, 3), F(0)),
        Coin(F(1, 1000), F(1, 20)),
        Coin(F(1), F(999, 1000)),
        Coin(F(999, 1000), F(999, 1000), other="edge"),
    ],
)
def test_a_sampler_apart_from_its_law_is_caught(coin: Coin) -> None:
    found = sound(probe(coin, 5000), failure=1e-9, rng=Seeded(0))
    assert found.verdict == "refuted"
    told = abs(coin.said - coin.done) if coin.other == "tails" else 1 - coin.done
    assert 0 < found.apart <= float(told), "a bound from below on the distance"


def test_it_errs_as_rarely_as_it_says() -> None:
    """At failure 1/10 and 200 true laws, 45 alarms have chance below 1e-5."""
    rng = Seeded(5)
    fair = probe(Coin(F(1, 2), F(1, 2)), 200)
    assert sum(sound(fair, failure=0.1, rng=rng).verdict == "refuted" for _ in range(200)) < 45


def test_what_the_law_leaves_open_is_not_held_against_the_sampler() -> None:
    vague = Law({b"a": F(1, 2)}, F(1, 2))
    assert apart(vague, Counter({b"a": 500, b"b": 500}), failure=1e-9) == 0
    assert apart(vague, Counter({b"a": 1000}), failure=1e-9) == 0
    assert apart(vague, Counter({b"b": 1000}), failure=1e-9) > 0, "more than the slack"
    assert apart(Law({b"a": F(1)}), Counter({b"a": 999, b"b": 1}), failure=1e-9) > 0


def test_a_small_shift_of_many_outcomes_is_seen() -> None:
    """No outcome by itself is off by much: the sums up to a place are."""
    law = Law({b"%03d" % i: F(1, 200) for i in range(200)})
    drawn = Counter({b"%03d" % i: 12 if i < 100 else 8 for i in range(200)})
    assert apart(law, drawn, failure=1e-9) > 0
    assert apart(law, Counter({b"%03d" % i: 10 for i in range(200)}), failure=1e-9) == 0


def test_a_few_neighbours_can_refute_by_proof() -> None:
    def exact(database: tuple[int, ...]) -> Law[int]:
        return certain(sum(database))

    case = Case(
        "sum", "", "broken", Pure(1), (0, 1), 1000, Route(lambda d, *, rng: d, sum, certain)
    )
    found = sound(Probe(case, 10), failure=1e-9, rng=Seeded(0))
    assert found.apart == 0
    assert found.finding is not None
    assert found.finding.verdict == "refuted"
    with pytest.raises(InvalidArgument, match="a probe needs a route"):
        sound(Probe(replace(case, law=exact)), failure=1e-9, rng=Seeded(0))


def test_rows_that_are_nearly_alike_are_dealt_as_all_rows_are() -> None:
    """Against all orders of five rows, two of them odd and different."""
    rows = ("a", "a", "a", "b", "c")
    found = dealt(rows, [2, 1], lambda blocks: certain(tuple(tuple(sorted(b)) for b in blocks)))
    counted = Counter((tuple(sorted(order[:2])), tuple(order[2:3])) for order in permutations(rows))
    assert dict(found.probabilities) == {k: F(n, 120) for k, n in counted.items()}
