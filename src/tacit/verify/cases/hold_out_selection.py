"""Hold-out selection: all that is trained and the choice are told, over all ordered databases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tacit.core.chance.law import Law
from tacit.core.composition.pricing import price
from tacit.core.cost import Pure
from tacit.core.numbers.decay import growth
from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.by_law import Kernel
from tacit.mechanisms.choice.hold_out_selection import HoldOutSelection
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

Row = tuple[int, int]
Hypothesis = tuple[int, int]

CONSTANTS: tuple[Hypothesis, Hypothesis] = ((0, 0), (1, 1))
LITERALS: tuple[Hypothesis, Hypothesis] = ((0, 1), (1, 0))


def _agrees(hypothesis: Hypothesis, row: Row) -> bool:
    return hypothesis[row[0]] == row[1]


def _trainer(
    pair: tuple[Hypothesis, Hypothesis], epsilon: Exact
) -> Kernel[tuple[Row, ...], Hypothesis]:
    """Make the trainer that says which of two hypotheses fits better, by randomised response."""
    factor = growth(rational(epsilon))

    def law(rows: tuple[Row, ...]) -> Law[Hypothesis]:
        second = 2 * sum(_agrees(pair[1], row) for row in rows) > len(rows)
        return Law({pair[second]: factor / (1 + factor), pair[not second]: 1 / (1 + factor)})

    return Kernel(Pure(epsilon), law)


def _case(
    epsilons: tuple[str, str],
    epsilon: str,
    sizes: Sequence[int],
    rest: int,
    *,
    tight: bool = False,
) -> Case:
    trainers = [
        _trainer(pair, one) for pair, one in zip((CONSTANTS, LITERALS), epsilons, strict=True)
    ]
    select = HoldOutSelection(trainers, sizes=sizes, agrees=_agrees, epsilon=epsilon)
    return Case(
        "hold-out-selection",
        f"sizes={sizes}, {rest} rows held out, epsilons={epsilons} and {epsilon}",
        "mechanism",
        Pure(price(select.cost).privacy.epsilon),
        tuple(product((0, 1), repeat=2)),
        sum(sizes) + rest,
        select.transcript,
        symmetric=False,
        tight=tight,
        drawn=Route(select, as_it_is),
    )


CASES = (
    _case(("1", "1"), "1", (1, 1), 2, tight=True),
    _case(("1/2", "2"), "1", (1, 1), 1, tight=True),
    _case(("1/10", "1/10"), "2", (1, 1), 2),
    _case(("1", "1/4"), "1/3", (2, 1), 1, tight=True),
    _case(("1/4", "1/5"), "1/6", (1, 1), 1),
    _case(("6", "1"), "2", (1, 1), 1),
)

PROBES = tuple(
    Probe(_case(each, epsilon, (400, 400), 200), 600)
    for each, epsilon in ((("1/10", "1/10"), "1/5"), (("8", "2"), "4"))
)
