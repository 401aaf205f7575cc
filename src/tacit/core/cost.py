"""What a release costs: an immutable tree; composition is written once, in `composition/`.

The meaning of a leaf never changes: it speaks of two laws, those of what is told of two neighbours.
A tree alone speaks of replace-one neighbours with public n, and inside `Added` of neighbours one of
which has one record more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.enclosures import round_up
from tacit.core.numbers.exact import Exact

BITS = 32
"""Of a squared distance that follows from others, rounded up."""


@dataclass(frozen=True, slots=True)
class Pure:
    """The privacy loss never exceeds epsilon."""

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).nonnegative(epsilon=epsilon)


@dataclass(frozen=True, slots=True)
class Approximate:
    """(epsilon, delta)-differential privacy, and nothing more is known."""

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Exact, delta: Exact) -> None:
        hold(self).nonnegative(epsilon=epsilon).small_probability(delta=delta)


@dataclass(frozen=True, slots=True)
class BoundedRange:
    """The privacy loss lies in an interval of length epsilon that holds 0 [DDR20].

    Stronger than `Pure(epsilon)`: the exponential mechanism has it, permute-and-flip does not.
    """

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).nonnegative(epsilon=epsilon)


@dataclass(frozen=True, slots=True)
class ZeroConcentrated:
    """Every Rényi divergence of order a is at most rho * a [BS16]."""

    rho: Fraction

    def __init__(self, rho: Exact) -> None:
        hold(self).nonnegative(rho=rho)


@dataclass(frozen=True, slots=True)
class Gaussian:
    """Discrete Gaussian noise of parameter sigma^2 on one integer of this sensitivity [CKS20]."""

    sigma_squared: Fraction
    sensitivity: int = 1

    def __init__(self, sigma_squared: Exact, sensitivity: int = 1) -> None:
        hold(self).positive(sigma_squared=sigma_squared).count(sensitivity=sensitivity, least=1)


@dataclass(frozen=True, slots=True)
class NearGaussian:
    """Discrete Gaussian noise on vectors of integers, each chosen after what was told before.

    Neighbours' i-th vectors differ by at most d_i in length, the parameter of their noise is
    s_i^2 > 4, d_i^2 / s_i^2 looks at no record, and there are at most 2^48 integers. `rho` is at
    least the sum of d_i^2 / (2 s_i^2) [CKS20], `mu_squared` that of the greatest that each
    d_i^2 / (s_i^2 - 4) can be.
    """

    rho: Fraction
    mu_squared: Fraction

    def __init__(self, rho: Exact, mu_squared: Exact) -> None:
        hold(self).nonnegative(rho=rho, mu_squared=mu_squared)
        if self.mu_squared < 2 * self.rho:
            raise InvalidArgument(
                f"mu_squared must be at least 2 rho = {2 * self.rho}, got {self.mu_squared}"
            )


@dataclass(frozen=True, slots=True)
class Sequential:
    """Several releases from the same records, each free to depend on the earlier ones."""

    parts: tuple[Cost, ...]

    def __init__(self, *parts: Cost) -> None:
        hold(self, parts=_alike(*parts))


@dataclass(frozen=True, slots=True)
class Parallel:
    """Several releases, each from its own block of one fixed partition of the records.

    The partition looks neither at the data nor at what was released before.
    """

    parts: tuple[Cost, ...]

    def __init__(self, *parts: Cost) -> None:
        hold(self, parts=_alike(*parts))


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same cost `times` over, on the same records.

    With adaptive=False all releases are fixed before the first is drawn, as when k labels are
    learned in one batch; bounded range composes better then [DDR20].
    """

    part: Cost
    times: int
    adaptive: bool = True

    def __init__(self, part: Cost, times: int, *, adaptive: bool = True) -> None:
        hold(self, part=_alike(part)[0], adaptive=adaptive).count(times=times)


@dataclass(frozen=True, slots=True)
class Subsample:
    """A release from `drawn` rows drawn uniformly out of `rows`, in secret.

    With replacement the rows are independent draws (so PAC guarantees carry over); without, they
    are a uniform subset.
    """

    part: Cost
    drawn: int
    rows: int
    replacement: bool = True

    def __init__(self, part: Cost, drawn: int, rows: int, *, replacement: bool = True) -> None:
        hold(self, part=_alike(part)[0], replacement=replacement)
        hold(self).count(drawn=drawn).count(rows=rows, least=1)
        if not replacement and drawn > rows:
            raise InvalidArgument(
                f"drawn must be at most rows={rows} without replacement, got {drawn}"
            )


Leaf = Pure | Approximate | BoundedRange | ZeroConcentrated | Gaussian | NearGaussian
Cost = Leaf | Sequential | Parallel | Repeat | Subsample
"""A tree of releases; `composition.pricing` says what it comes to."""


@dataclass(frozen=True, slots=True)
class Added:
    """The tree, for neighbours one of which has one record more: how many there are is secret.

    Only a whole release has it: what its parts cost is told inside, for the same neighbours. A
    `Parallel` there is of blocks that each record is dealt to by a coin of its own.

    >>> Sequential(Added(Pure(1)), Pure(1))
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: costs for added and for replaced records do not add up: ...

    Proof: docs/proofs/added.md
    """

    part: Cost

    def __init__(self, part: Cost) -> None:
        if _subsampled(part):
            raise InvalidArgument(
                "what a secret sample adds is proved for replaced rows: leave out "
                "neighbours=added (--neighbours), or the sample"
            )
        hold(self, part=part)


ReleaseCost = Cost | Added
"""What a whole release costs, for whichever neighbours."""


def _alike(*parts: Cost) -> tuple[Cost, ...]:
    """Refuse to put a release for added records inside another."""
    if any(isinstance(part, Added) for part in parts):
        raise InvalidArgument(
            "costs for added and for replaced records do not add up: put Added around the "
            "whole, or convert first what is to be told for replaced ones (as_replaced)"
        )
    return parts


def _subsampled(cost: Cost) -> bool:
    match cost:
        case Sequential(parts) | Parallel(parts):
            return any(map(_subsampled, parts))
        case Repeat(part):
            return _subsampled(part)
    return isinstance(cost, Subsample | Added)


def gaussian_noise(*parts: tuple[Fraction, Fraction]) -> NearGaussian | ZeroConcentrated:
    """Return what noise costs, told as pairs of a rate and the squared length that it hides.

    >>> gaussian_noise((Fraction(1, 16), Fraction(1)), (Fraction(1, 8), Fraction(2)))
    NearGaussian(rho=Fraction(3, 16), mu_squared=Fraction(3, 4))
    """
    rho = sum((rate for rate, _ in parts), Fraction(0))
    if any(8 * rate >= squared for rate, squared in parts):
        return ZeroConcentrated(rho)
    near = (2 * rate / (1 - 8 * rate / squared) for rate, squared in parts)
    return NearGaussian(rho, round_up(sum(near, Fraction(0)), BITS) if rho else 0)


class PureCost:
    """One call costs `Pure(epsilon)`."""

    __slots__ = ()
    epsilon: Fraction

    @property
    def cost(self) -> Pure:
        """What one call costs."""
        return Pure(self.epsilon)


class BoundedRangeCost:
    """One call costs `BoundedRange(epsilon)`."""

    __slots__ = ()
    epsilon: Fraction

    @property
    def cost(self) -> BoundedRange:
        """What one call costs."""
        return BoundedRange(self.epsilon)


class ApproximateCost:
    """One call costs `Approximate(epsilon, delta)`."""

    __slots__ = ()
    epsilon: Fraction
    delta: Fraction

    @property
    def cost(self) -> Approximate:
        """What one call costs."""
        return Approximate(self.epsilon, self.delta)
