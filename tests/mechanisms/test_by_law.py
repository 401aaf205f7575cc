"""A mechanism given by its law draws from that law and no other."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.law import Law, proportional
from tacit.core.cost import Pure
from tacit.core.errors import NotExact
from tacit.mechanisms.mechanism import Kernel, draw
from tests.support.coin_tree import law_of

F = Fraction


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5).filter(any), st.integers(1, 7))
def test_the_draw_has_exactly_the_law(weights: list[int], unit: int) -> None:
    law = proportional({i: F(w, unit) for i, w in enumerate(weights)})
    drawn = law_of(lambda rng: draw(law, rng=rng))
    assert drawn.probabilities == {i: p for i, p in law.probabilities.items() if p}


def test_a_kernel_draws_from_the_law_of_its_input() -> None:
    kernel: Kernel[tuple[str, ...], tuple[str, ...]] = Kernel(
        Pure(1), lambda rows: Law({rows: F(2, 5), (): F(3, 5)})
    )
    assert law_of(lambda rng: kernel(("x",), rng=rng)) == kernel.law(("x",))


def test_a_law_with_slack_is_not_sampled() -> None:
    with pytest.raises(NotExact, match="slack"):
        law_of(lambda rng: draw(Law({0: F(9, 10)}, F(1, 10)), rng=rng))
