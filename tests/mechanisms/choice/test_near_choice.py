"""The choice among those who are near: its law, its sampler, and a scale for every crowd."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
from scipy.stats import chi2

from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms import NearChoice
from tacit.mechanisms.choice.near_choice import Penalties

F = Fraction


@pytest.mark.parametrize(
    ("many", "reach", "epsilon", "none"),
    [(2, 5, "1", "1/20"), (3, 3, "2", "1/50"), (3, 4, "1/4", "1/5"), (2, 6, "5", "1/1000")],
)
def test_private_for_all_penalties(many: int, reach: int, epsilon: str, none: str) -> None:
    """All penalties of few candidates, each moved by one or none: the most that a crowd can do."""
    choice = NearChoice(epsilon, crowd=(many,) * reach, none=none)
    all_ = list(product(range(reach + 1), repeat=many))
    laws = {p: choice.law(Penalties(dict(enumerate(p)), many)) for p in all_}
    most = exp_lower(F(epsilon))
    for p, law in laws.items():
        for moves in product((-1, 0, 1), repeat=many):
            near = tuple(a + b for a, b in zip(p, moves, strict=True))
            if near in laws:
                assert max_ratio(law, laws[near]).upper <= most  # type: ignore[operator]


@pytest.mark.parametrize(
    ("epsilon", "none", "crowd"),
    [
        ("1", "1/20", (2,) * 6 + (4,) * 4 + (8,) * 8),
        ("1/4", "1/20", (1,) * 10 + (60,) * 20),
        ("2", "1/50", (1, 3, 9, 27, 200)),
        ("1/2", "1/50", tuple(range(1, 30))),
        ("3/2", "1/5", (1, 1, 50, 50)),
        ("5", "1/1000", (2,) * 6),
    ],
)
def test_the_scale_is_one_of_the_proof(epsilon: str, none: str, crowd: tuple[int, ...]) -> None:
    """What one row adds is at most what it takes away, by the words of the theorem alone."""
    choice = NearChoice(epsilon, crowd=crowd, none=none)
    assert choice.scale * choice.none >= 1
    q, weight, cut = float(choice.decay.ratio), float(choice.none), choice.cut
    growth = q**-2 - 1
    most = 0.25 if growth >= 1 else growth * q**4
    w = [weight / q ** min(x, cut) for x in range(cut + 2)]
    falls = [(weight / q**cut, (1 - q) * weight / q**cut)]
    for x in range(cut + 1):
        each = [(1 - q) * (q**x + w[x]), (1 - q * q) * q**x + w[x] - q * w[x + 1]]
        falls.append((q**x + w[x], min(each + [w[x] - q * w[x - 1]] * (x > 0))))
    more = [b - a for a, b in pairwise((0, *crowd))]
    y = choice.scale * min(low for low, _ in falls)
    while y < 2 * most * crowd[-1] / min(fall for _, fall in falls):
        far = [j for j in range(len(crowd)) if growth * y * y * q ** (2 * j + 2) <= most]
        added = most * sum(more[j] for j in range(len(crowd)) if j not in far)
        added += growth * y * y * sum(more[j] * q ** (2 * j + 2) for j in far)
        taken = y * min(fall for low, fall in falls if choice.scale * low <= y)
        assert added <= taken * (1 + 1e-9)
        y *= 1.01


def test_penalties_beyond_the_ends_count_as_the_ends() -> None:
    choice = NearChoice(1, crowd=(2,) * 3, none="1/20")
    beyond = choice.law(Penalties({0: -2, 1: 9}, 4))
    assert beyond == choice.law(Penalties({0: 0, 1: 3}, 4))


def test_bounds_where_some_penalty_is_none() -> None:
    choice = NearChoice(1, crowd=(4,) * 12, none="1/20")
    for p in ((0, 12, 12), (0, 0, 3), (0, 5, 9), (0, 1, 1)):
        law = choice.law(Penalties(dict(enumerate(p)), 40))
        assert law[None] <= choice.untold
        assert all(law[c] <= choice.told(d) for c, d in enumerate(p))
        assert sum(law.probabilities.values()) == 1


def test_many_candidates_who_are_far() -> None:
    """Those without a penalty of their own are told alike, and any of them."""
    choice = NearChoice(1, crowd=(1,) * 6, none="1/10")
    penalties, rng = Penalties({3: 0, 5: 4, 8: 6}, 12), Seeded(3)
    draws, law = 5_000, choice.law(penalties)
    counts = Counter(choice(penalties, rng=rng) for _ in range(draws))
    apart = sum(
        (counts[c] - draws * float(p)) ** 2 / (draws * float(p))
        for c, p in law.probabilities.items()
    )
    assert apart < chi2.isf(1e-9, len(law.probabilities) - 1)
    assert law[0] == law[8] == law[11] < law[5] < law[3]
    assert choice(Penalties({7: 0}, 1 << 1024), rng=Seeded(0)) is not None


def test_a_larger_crowd_has_a_larger_scale() -> None:
    scales = [NearChoice(1, crowd=(n,) * 20, none="1/50").scale for n in (1, 10, 100)]
    assert scales == sorted(scales)
    for crowd in ((), (0, 1), (3, 2)):
        with pytest.raises(InvalidArgument, match="crowd"):
            NearChoice(1, crowd=crowd, none="1/50")
    with pytest.raises(TooLarge):
        NearChoice(1, crowd=(1,), none="1/50").law(Penalties({}, 1 << 40))
