"""What an audit says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

from tacit.core.cost import Added, Approximate, BoundedRange, Pure, ZeroConcentrated
from tacit.core.label_privacy import LabelPrivacy
from tacit.core.numbers.shown import sheet

Kind = Literal["mechanism", "learner", "sanitizer", "broken"]
Leaf = Pure | Approximate | BoundedRange | ZeroConcentrated | LabelPrivacy
Claim = Leaf | Added
Method = Literal["exact", "statistical"]
Verdict = Literal["verified", "not refuted", "refuted"]

GRAVITY: dict[Verdict, int] = {"verified": 0, "not refuted": 1, "refuted": 2}


def leaf(claim: Claim) -> Leaf:
    """Return what is claimed of the laws of two neighbours, whichever these are."""
    found: Any = claim.part if isinstance(claim, Added) else claim
    return found  # type: ignore[no-any-return]


def budget(claim: Claim) -> Fraction:
    """Return the epsilon of a claim, or the rho of one that has no epsilon."""
    told = leaf(claim)
    return told.rho if isinstance(told, ZeroConcentrated) else told.epsilon


NOTIONS: dict[type[Claim], tuple[str, str]] = {
    Pure: ("pure", ""),
    Approximate: ("approximate", ""),
    BoundedRange: ("bounded range", " (range)"),
    ZeroConcentrated: ("zero-concentrated", ""),
    LabelPrivacy: ("labels only", " (labels only)"),
}
"""What a claim is called, and what is said beside its epsilon."""


def words(claim: Claim) -> str:
    """Write a claim as it is shown.

    >>> words(Pure("1/2")), words(Added(Approximate(1, "1e-6")))
    ('ε 0.5', 'ε 1, δ 1e-06, n secret')
    """
    if isinstance(claim, Added):
        return f"{words(leaf(claim))}, n secret"
    if isinstance(claim, ZeroConcentrated):
        return f"ρ {float(claim.rho):.5g}"
    delta = f", δ {float(claim.delta):.3g}" if isinstance(claim, Approximate) else ""
    return f"ε {float(claim.epsilon):.5g}{delta}{NOTIONS[type(claim)][1]}"


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
    def loss(self) -> str:
        """The loss that was found, as it is shown."""
        said = f"ε {self.epsilon:.5g}"
        return f"{said}, δ {self.delta:.3g}" if self.delta else said

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict, and what it rests on."""
        facts = {"claimed": words(self.claim), "found": self.loss, "pairs": self.pairs}
        return sheet(f"{self.audited.target}: {self.verdict}", facts | {"method": self.method})

    @property
    def gravity(self) -> tuple[int, float]:
        """Sort key: the worst finding of a target is the one to report."""
        return GRAVITY[self.verdict], self.share
