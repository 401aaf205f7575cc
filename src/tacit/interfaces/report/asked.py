"""What the report knows besides the model: what was asked for, and where it was charged."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Asked:
    """The request as it was typed; `alpha` is None when no accuracy was asked for."""

    concepts: str
    epsilon: Fraction
    delta: Fraction
    alpha: Fraction | None
    beta: Fraction
    dataset: str | None = None
    analyst: str = ""
    model_digest: str = ""
