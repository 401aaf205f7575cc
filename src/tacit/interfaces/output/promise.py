"""What is promised of a model's error, said once for the command and the estimators."""

from __future__ import annotations

from tacit.core.errors import TooLarge
from tacit.core.numbers.shown import at_most
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model


def promise(model: Model) -> list[str]:
    """Say what is promised, what it needs, and what the learner assumes of the points."""
    if model.accuracy is None:
        return ["Promised: nothing about the error; too few rows, or a learner that never does."]
    alpha, beta = at_most(model.accuracy.alpha), at_most(model.accuracy.beta)
    above = " above the best rule's" if model.agnostic else ""
    many = f", for all {len(model.labels)} labels at once" if len(model.labels) > 1 else ""
    given = "" if model.agnostic else " and some rule of the class explains them"
    assumed = named(model.learner).assumes
    return [
        f"Promised: error at most {alpha}{above}{many}, except with",
        f"probability {beta}, if the rows are independent draws{given}.",
        *([f"It assumes: {assumed}."] if assumed else []),
    ]


def rules_in_class(model: Model) -> str:
    """Say how many rules there are to choose from."""
    try:
        size = model.concepts.size
    except TooLarge:
        return "countless"
    return str(size) if size < 10**6 else f"about 2^{size.bit_length() - 1}"
