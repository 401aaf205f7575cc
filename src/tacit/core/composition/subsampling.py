"""What a secret random sample of the rows adds: amplification of (epsilon, delta)."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tacit.core.cost import Subsample
from tacit.core.numbers.enclosures import Enclosure, real, round_up, upper
from tacit.core.privacy import Privacy

BITS = 64  # significant ones of what is rounded up
HOPELESS = 64  # an epsilon: e^64 delta is at least 1 for all deltas in use


def amplified(node: Subsample, inner: Privacy) -> Privacy | None:
    """Return what n = drawn out of m = rows keep when the part keeps `inner`.

    None where delta is not below 1, or has to be kept together with an epsilon above 64.

    Guarantee:
        With replacement (n ln x, (1 + x + ... + x^(n-1)) delta / m), x = 1 + (e^epsilon - 1) / m;
        this epsilon is attained. Without (ln(1 + n (e^epsilon - 1) / m), n delta / m)
        [BBG18, Thm. 9]. Proofs: docs/proofs/resample.md. Rounded up in the 64th bit.

    >>> from tacit.core.cost import Pure
    >>> kept = amplified(Subsample(Pure(1), 3, 6), Privacy(1))
    >>> float(kept.epsilon)
    0.755496...
    """
    if inner.delta and inner.epsilon > HOPELESS:
        return None
    delta = inner.delta and inner.delta * factor(node, inner.epsilon)
    return Privacy(_epsilon(node, inner.epsilon), delta) if delta < 1 else None


def factor(node: Subsample, epsilon: Fraction) -> Fraction:
    """Return what multiplies delta when the part keeps this epsilon; it grows with epsilon."""
    share = Fraction(node.drawn, node.rows)
    if not node.replacement or share == 0 or epsilon == 0:
        return share
    return round_up(upper(lambda: _chain(node, epsilon)), BITS)


def _chain(node: Subsample, epsilon: Fraction) -> Enclosure:
    """Enclose (x^n - 1) / (m (x - 1))."""
    gain = real(epsilon).expm1() / node.rows
    return (node.drawn * gain.log1p()).expm1() / real(epsilon).expm1()


def _epsilon(node: Subsample, epsilon: Fraction) -> Fraction:
    if node.drawn == 0 or epsilon == 0:
        return Fraction(0)
    draws, share = (node.drawn, 1) if node.replacement else (1, node.drawn)

    def enclosed() -> Enclosure:
        return draws * (arb(share) * real(epsilon).expm1() / node.rows).log1p()

    return round_up(upper(enclosed), BITS)
