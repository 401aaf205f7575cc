"""Advanced composition, as the textbooks have it: a closed formula to compare with.

Of the papers: BNS16 Thm 2.16.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core import check
from tacit.core.composition.certified import decimal_up
from tacit.core.composition.interpreters.basic import pure
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import Enclosure, real, upper

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple
    from tacit.core.numbers.exact import Exact


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return sum e_i tanh(e_i / 2) + sqrt(2 ln(1/delta) sum e_i^2).

    Guarantee:
        The losses' mean is at most e tanh(e/2) each, and Azuma bounds how far the sum exceeds its
        mean [KOV15, Thm. 3.5].
    """
    losses = [(release.times, pure(release.leaf)) for release in releases]
    known = [(times, loss) for times, loss in losses if loss is not None]
    if delta == 0 or len(known) < len(losses):
        return None

    def formula() -> Enclosure:
        mean = sum((times * real(e) * real(e / 2).tanh() for times, e in known), arb(0))
        squares = sum((times * e**2 for times, e in known), Fraction(0))
        return mean + (-2 * real(squares) * real(delta).log()).sqrt()

    return decimal_up(upper(formula))


def textbook(loss: Exact, *, times: int, delta: Exact) -> Fraction:
    """Return sqrt(2 k ln(1/delta)) e + 2 k e^2, as papers print it for e <= 1 [BNS16 Thm 2.16].

    >>> float(textbook(0.01, times=1000, delta=1e-6))
    1.862...
    """
    loss, delta = check.nonnegative(epsilon=loss), check.probability(delta=delta)
    times = check.count(times=times)
    if loss > 1:
        raise InvalidArgument(f"epsilon must be at most 1 in the printed formula, got {loss}")
    return decimal_up(
        upper(
            lambda: (-2 * times * real(delta).log()).sqrt() * real(loss) + real(2 * times * loss**2)
        )
    )
