"""What may be told about a fitted estimator, in a few lines."""

from __future__ import annotations

from tacit.interfaces.output.promise import promise
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.statement import sentence

PUBLIC = "\nThe classes were read off y, and are taken to be public; classes=... declares them."


def certificate(model: Model, *, public: bool) -> str:
    """Say what was spent, for what change of the table, what is promised and what was measured.

    Classes that were read off the labels are `public` only because somebody says so.
    """
    spent = f"ε = {float(model.of_rows.epsilon):.6g}, δ = {float(model.of_rows.delta):.6g}"
    private = f"Private: {spent} for replacing any one of the {model.n} rows."
    if not model.secure:
        private = f"NOT PRIVATE: the coins were seeded. Secret coins would give {spent}."
    taken = PUBLIC if public else ""
    said = " ".join(promise(model)).replace(" It assumes:", "\nIt assumes:")
    pairs = zip(model.labels, model.measured, strict=bool(model.measured))
    told = "".join(f"\nMeasured: {label}: {sentence(each)}." for label, each in pairs)
    return f"{private}{taken}\nLearner: {model.learner}.\n{said}{told}"
