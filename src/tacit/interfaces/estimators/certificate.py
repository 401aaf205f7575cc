"""What may be told about a fitted estimator, in a few lines."""

from __future__ import annotations

from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model

PUBLIC = "\nThe two classes were read off y, and are taken to be public; classes=... declares them."


def certificate(model: Model, *, public: bool) -> str:
    """Say what was spent, for what change of the table, and what is promised of the error.

    Classes that were read off the labels are `public` only because somebody says so.
    """
    spent = f"ε = {float(model.privacy.epsilon):.6g}, δ = {float(model.privacy.delta):.6g}"
    private = f"Private: {spent} for replacing any one of the {model.n} rows."
    if not model.secure:
        private = f"NOT PRIVATE: the coins were seeded. Secret coins would give {spent}."
    taken = PUBLIC if public else ""
    return f"{private}{taken}\nLearner: {model.learner}.\n{_promise(model)}"


def _promise(model: Model) -> str:
    if model.accuracy is None:
        return "Promised: nothing about the error; too few rows, or a learner that never does."
    alpha, beta = float(model.accuracy.alpha), float(model.accuracy.beta)
    above = " above the best rule's" if model.agnostic else ""
    given = "" if model.agnostic else " and some rule of the class explains them"
    assumed = named(model.learner).assumes
    return (
        f"Promised: error at most {alpha:.3g}{above}, except with probability {beta:.3g}, if the "
        f"rows are independent draws{given}." + (f"\nIt assumes: {assumed}." if assumed else "")
    )
