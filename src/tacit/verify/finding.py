"""What an audit says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from tacit.core.cost import Approximate, BoundedRange, Pure, ZeroConcentrated
from tacit.core.label_privacy import LabelPrivacy

Kind = Literal["mechanism", "learner", "sanitizer", "broken"]
Claim = Pure | Approximate | BoundedRange | ZeroConcentrated | LabelPrivacy
Method = Literal["exact", "statistical"]
Verdict = Literal["verified", "not refuted", "refuted"]

GRAVITY: dict[Verdict, int] = {"verified": 0, "not refuted": 1, "refuted": 2}


def budget(claim: Claim) -> Fraction:
    """Return the epsilon of a claim, or the rho of one that has no epsilon."""
    return claim.rho if isinstance(claim, ZeroConcentrated) else claim.epsilon


class Audited(Protocol):
    """Whatever makes a claim that an audit can test."""

    @property
    def target(self) -> str:
        """The name of what is audited."""

    @property
    def setting(self) -> str:
        """Parameters and inputs of this audit, in words."""

    @property
    def kind(self) -> Kind:
        """Whether the target is meant to be private or broken on purpose."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The loss (epsilon, delta) that was found, over how many ordered pairs, and the verdict.

    `share` is the found loss as a part of the claimed one: 1 where the claim is attained, and
    infinite where the loss is. "verified" and "refuted" by enumeration are proofs.
    """

    audited: Audited
    claim: Claim
    method: Method
    epsilon: float
    delta: float
    share: float
    pairs: int
    verdict: Verdict

    @property
    def gravity(self) -> tuple[int, float]:
        """Sort key: the worst finding of a target is the one to report."""
        return GRAVITY[self.verdict], self.share
