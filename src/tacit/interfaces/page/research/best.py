"""The Optimum page: the best private learner of a small class, its law beside another's."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.interfaces.page.families import SOLVED, specification
from tacit.interfaces.page.serving.fields import Fields
from tacit.theory.optimum.optimum import optimum
from tacit.theory.solving.logarithms import float_above, float_below
from tacit.workflows.regret import laws_on, regrets

Tell = Callable[[str], None]
LEAST, MOST = Fraction(1, 100), Fraction(10)


def found(asked: Fields, tell: Tell) -> dict[str, Any]:
    """Solve for the best learner, prove it, and compare ours; laws are on rows that a rule labels.

    The rows are spread evenly over the points, and labelled by the middle rule of the class.
    """
    spec, epsilon = specification(asked, SOLVED), asked.number("epsilon")
    n, proper = asked.whole("n", 1, 6), asked.flag("proper")
    if not LEAST <= Fraction(epsilon) <= MOST:
        raise InvalidArgument("epsilon must lie between 0.01 and 10")
    concepts = parse(spec)
    tell("solving")
    best = optimum(concepts, n=n, epsilon=epsilon, proper=proper, tell=tell)
    compared, _ = regrets(best, seconds=2.0, tell=tell)
    points, rules = concepts.domain(), list(concepts.concepts())
    target = rules[len(rules) // 2]
    labels = target(points).tolist()
    names = [tuple(x.tolist()) if x.ndim else int(x) for x in points]
    rows = [(names[i % len(names)], int(labels[i % len(names)])) for i in range(n)]
    laws = laws_on(best, rows)
    outputs = sorted(
        {answers for law in laws.values() for answers in law.probabilities}, reverse=True
    )
    tell("checking both proofs")
    return {
        "class": spec,
        "lower": float_below(best.lower),
        "upper": float_above(best.upper),
        "verified": best.verify(),
        "learners": [
            {"name": each.name, "loss": float(each.loss), "ratio": each.ratio} for each in compared
        ],
        "rows": [[str(x), y] for x, y in rows],
        "target": "".join("01"[bool(y)] for y in labels),
        "laws": {name: [float(law[answers]) for answers in outputs] for name, law in laws.items()},
        "outputs": ["".join("01"[bool(y)] for y in answers) for answers in outputs],
        "command": f"tacit optimum '{spec}' --n {n} --epsilon {epsilon}{' --proper' * proper}",
    }
