"""What the report knows besides the model: what was asked for, and where it was charged."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.concepts.contract.concept_class import family_of
from tacit.learners.contract.model import Model
from tacit.workflows.learned.question import AUTO


@dataclass(frozen=True, slots=True)
class Asked:
    """The request as it was typed; `alpha` is None when no accuracy was asked for.

    Of a `saved` model the accuracy and the ledger are not known.
    """

    concepts: str
    epsilon: Fraction
    delta: Fraction
    alpha: Fraction | None
    beta: Fraction
    dataset: str | None = None
    analyst: str = ""
    model_digest: str = ""
    saved: bool = False

    @classmethod
    def of(cls, model: Model, digest: str) -> Asked:
        """Return what a model that was saved tells."""
        beta = Fraction(1, 20) if model.accuracy is None else model.accuracy.beta
        delta = Fraction(0) if model.cost is None else model.of_rows.delta
        named = AUTO if model.why else family_of(model.concepts)
        spent = model.privacy.epsilon
        return cls(named, spent, delta, None, beta, model_digest=digest, saved=True)
