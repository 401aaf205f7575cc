"""What is promised of a model's error, said once for the command and the estimators."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.errors import TooLarge
from tacit.core.numbers.shown import at_most
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model


def promise(model: Model) -> list[str]:
    """Say what is promised, what it needs, and what the learner assumes of the points."""
    if model.accuracy is None:
        why = "it was measured" if model.measured else "too few rows, or a learner that never does"
        return [f"Promised: nothing about the error; {why}."]
    alpha, beta = at_most(model.accuracy.alpha), at_most(model.accuracy.beta)
    above = " above the best rule's" if model.agnostic else ""
    many = f", for all {len(model.labels)} labels at once" if len(model.labels) > 1 else ""
    explained = "" if model.agnostic else " and some rule of the class explains them"
    given = explained + if_best(model.best_error, so_far=" and")
    assumed = named(model.learner).assumes
    return [
        f"Promised: error at most {alpha}{above}{many}, except with",
        f"probability {beta}, if the rows are independent draws{given}.",
        *([f"It assumes: {assumed}."] if assumed else []),
    ]


def if_best(best_error: Fraction | None, *, so_far: str = ", if") -> str:
    """Say what a promise takes for granted of the best rule, if anything.

    >>> if_best(Fraction(1, 20))
    ', if the best rule errs at most 0.05'
    """
    if best_error is None:
        return ""
    return f"{so_far} the best rule errs at most {float(best_error):g}"


def rules_in_class(model: Model) -> str:
    """Say how many rules there are to choose from."""
    try:
        size = model.concepts.size
    except TooLarge:
        return "countless"
    return str(size) if size < 10**6 else f"about 2^{size.bit_length() - 1}"
