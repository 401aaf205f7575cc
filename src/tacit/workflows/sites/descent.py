"""A descent in rounds: what is public of it, and the sums over rows that its rounds ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.budget import read_budget
from tacit.core.composition import calibrate
from tacit.core.cost import ZeroConcentrated
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.data.reading.coding import Coding
from tacit.data.schema.classes import class_for
from tacit.data.schema.outcome import Outcome
from tacit.data.schema.schema import Schema
from tacit.learners.linear.joint_margin import JointMargin, Starts
from tacit.learners.linear.linear_frame import moments, moments_moved, norm_squared
from tacit.learners.linear.margin import MOST_ROWS
from tacit.learners.linear.noisy_descent import FIRST, ONES
from tacit.statistics.many_rows import summed
from tacit.workflows.sites.axes import Codes

MOST = 1 << 10
"""Rounds, and houses, at most."""
FAR, HEAVY = 1 << 200, 1 << 40
"""No sum of messages is as large, and no weight."""
Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of all features over rows, exact: what a frame is read off."""

    features: tuple[str, ...]
    learner: JointMargin

    @property
    def columns(self) -> tuple[str, ...]:
        """What is read."""
        return self.features

    @property
    def name(self) -> str:
        """What is added up, in words."""
        return f"moments of {', '.join(self.features)}"

    @property
    def size(self) -> int:
        """How many sums there are."""
        nothing = np.zeros(0, dtype=np.int64)
        return len(self.sums(dict.fromkeys(self.features, nothing), nothing))

    def moved(self, *, added: bool) -> int:
        """Return by how much one row moves all sums, in squares."""
        return moments_moved(self.learner.concepts, 1 << self.learner.bits, added=added)

    def sums(self, codes: Codes, times: NDArray[Any]) -> NDArray[Any]:
        """Add up rows, each of which occurs so many times."""
        learner, points = self.learner, _points(codes, self.features)
        told = moments(learner.concepts, 1 << learner.bits, points, _exact(times))
        return np.array(told, dtype=object)


@dataclass(frozen=True, slots=True)
class Pulls:
    """What rows pull at public weights, mark by mark: rows shortened, pulls cut, exact.

    Guarantee:
        Whatever frame, pulls and weights are, a row adds a vector of squared norm at most Q times
        the square of `whole`.

    Proof: docs/proofs/sites.md
    """

    features: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    learner: JointMargin
    starts: Starts
    weights: tuple[Vector, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """What is read."""
        return (*self.features, *(outcome.name for outcome in self.outcomes))

    @property
    def name(self) -> str:
        """What is added up, in words."""
        labels = ", ".join(outcome.name for outcome in self.outcomes)
        return f"pulls of {', '.join(self.features)} on {labels}"

    @property
    def size(self) -> int:
        """How many sums there are."""
        return sum(map(len, self.weights))

    def moved(self, *, added: bool) -> int:
        """Return by how much one row moves all sums, in squares: it leaves, another enters."""
        learner = self.learner
        longest = norm_squared(learner.concepts, 1 << learner.bits)
        return (1 if added else 4) * learner.whole**2 * longest

    def sums(self, codes: Codes, times: NDArray[Any]) -> NDArray[Any]:
        """Add up rows, each of which occurs so many times."""
        rows = self.learner.rows(self.starts.frame, _points(codes, self.features))
        pairs = zip(self.learner.outcomes, self.outcomes, strict=True)
        bins = [marks.bins(outcome.marked(codes[outcome.name])) for marks, outcome in pairs]
        weights = np.array(self.weights, dtype=np.int64)
        return self.learner.pulled(rows, bins, _exact(times), weights, self.starts.pulls).ravel()


RowSums = Moments | Pulls


@dataclass(frozen=True, slots=True)
class Reached:
    """What earlier rounds told, added up, and the weights after so many steps; all of it public."""

    houses: int
    n: int
    secure: bool
    yes: Vector
    moments: Vector
    step: int
    weights: tuple[Vector, ...]
    late: tuple[Vector, ...]

    def encode(self) -> dict[str, Any]:
        """Return a JSON object."""
        told = asdict(self)
        lists = {name: list(map(list, told[name])) for name in ("weights", "late")}
        return told | {name: list(told[name]) for name in ("yes", "moments")} | lists

    @classmethod
    def decode(cls, encoded: Any, marks: int, sums: int, long: int) -> Reached:
        """Read what `encode` wrote, of so many marks and moments, and vectors of this length."""

        def vector(told: Any, length: int, most: int) -> Vector:
            if not isinstance(told, list) or len(told) != length:
                raise InvalidArgument("not the state of this descent: a vector has another length")
            return tuple(check.count(number=each, least=-most, up_to=most) for each in told)

        if set(encoded) != set(cls.__slots__) or type(encoded["secure"]) is not bool:
            raise InvalidArgument("not the state of a descent: an entry is missing or not known")
        both = [[vector(each, long, HEAVY) for each in encoded[k]] for k in ("weights", "late")]
        if any(len(each) != marks for each in both):
            raise InvalidArgument("not the state of this descent: it is of other labels")
        return cls(
            houses=check.count(houses=encoded["houses"], least=1, up_to=MOST),
            n=check.count(n=encoded["n"], least=1, up_to=FAR),
            secure=encoded["secure"],
            yes=vector(encoded["yes"], marks, FAR),
            moments=vector(encoded["moments"], sums, FAR),
            step=check.count(step=encoded["step"], up_to=MOST),
            weights=tuple(both[0]),
            late=tuple(both[1]),
        )


@dataclass(frozen=True, slots=True)
class Descent:
    """What is foretold of what, in how many rounds, and how far it is: read off a question.

    The first round tells how often each label occurs, and the moments; each later one what all
    rows pull at the weights that the rounds before have led to. Steps are those of `JointMargin`
    with the noise of all houses together, which is that of one house for a rho divided by them.
    """

    features: tuple[str, ...]
    coding: Coding
    steps: int
    whole: Privacy
    learner: JointMargin
    reached: Reached | None

    @classmethod
    def of(cls, schema: Schema, given: Mapping[str, Any]) -> Descent:
        """Read what a question gives; whoever sent it may have sent anything."""
        features, whole = tuple(given["features"]), given["whole"]
        coding = Coding.of(schema, features, given["labels"], cuts=given.get("cuts"))
        steps = check.count(rounds=given["rounds"], least=2, up_to=MOST) - 1
        budget = read_budget(whole["epsilon"], whole["delta"])
        added = Unit(neighbours=whole["neighbours"]).added
        concepts: Any = class_for("scorecards", schema, features)
        made: Any = {"outcomes": coding.groups, "steps": steps, "caution": 0}
        told, rho = given.get("reached"), rho_of(budget)
        learner, reached = JointMargin(concepts, rho=rho, **made), None
        if told is not None:
            size, long = Moments(features, learner).size, 1 + concepts.dims
            reached = Reached.decode(told, coding.labels, size, long)
            known = reached.n if added else None
            learner = JointMargin(concepts, rho=rho / reached.houses, **made, public_n=known)
            if reached.step >= steps:
                raise InvalidArgument("the descent is over: all of its rounds were asked")
        return cls(features, coding, steps, budget, learner, reached)

    @property
    def rho(self) -> Fraction:
        """What this round costs."""
        share = _FIRST if self.reached is None else (1 - _FIRST) / self.steps
        return share * rho_of(self.whole)

    @property
    def starts(self) -> Starts:
        """The frame, and how each mark's descent goes."""
        reached = self.reached
        assert reached is not None
        return self.learner.started(reached.yes, reached.moments, reached.n)

    @property
    def sums(self) -> RowSums:
        """What this round asks for, beside how often labels occur."""
        if self.reached is None:
            return Moments(self.features, self.learner)
        whose = (self.features, self.coding.outcomes, self.learner)
        return Pulls(*whose, self.starts, self.reached.weights)


_FIRST = ONES + FIRST * (1 - ONES)
"""The share of rho that the first round gets."""


@lru_cache
def rho_of(whole: Privacy) -> Fraction:
    """Return the greatest rho, of five digits, that all rounds together may cost."""
    if not whole.delta:
        raise InvalidArgument("a descent has Gaussian noise: say a delta (--delta) above 0")
    return calibrate(whole, ZeroConcentrated)


def _points(codes: Codes, features: tuple[str, ...]) -> NDArray[np.int64]:
    points = np.stack([codes[name] for name in features], axis=1)
    return points[:, 0] if len(features) == 1 else points


def _exact(times: NDArray[Any]) -> NDArray[Any]:
    """Return numbers whose sums do not wrap around, however many rows there are."""
    return times if summed(times) <= MOST_ROWS else times.astype(object)
