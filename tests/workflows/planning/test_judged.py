"""The exact optimum judges the planner: what is impossible <= the optimum <= what is planned.

The optimum is over a family of populations that the lower bounds below have their own among, and
that every plan must serve. A sample of all classes on up to three points here, of one label and of
two, all of them by `make optimum`.
"""

from __future__ import annotations

import pytest
from benchmarks import judged

FEW = judged.QUESTIONS[:: len(judged.QUESTIONS) // 40]


@pytest.mark.parametrize("question", FEW, ids=str)
def test_bounds_the_optimum_and_plans_agree(question: judged.Question) -> None:
    assert not list(question.contradictions())


def test_a_bound_that_is_false_is_found_out() -> None:
    """Two opposites need not 86 rows: five tell them apart."""
    opposites = next(q for q in judged.QUESTIONS if str(q).startswith("00/11 0.45 0.3 "))
    assert opposites.rows == 1
    assert list(opposites.refuted("two concepts", 2))
    assert not list(opposites.refuted("two concepts", 1))
