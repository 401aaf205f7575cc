"""How large representations of a class must be, and need be: bounds that hold at any size.

Of the papers: BNS19 Ex 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb

from tacit.core import Exact, InvalidArgument, check, least
from tacit.theory.solving.class_table import sauer

TEMPLATES = {Fraction(1, 4): (1, 2, 3, 5, 10, 36, 259)}
"""How many concepts 1, 2, ... hypotheses can represent, at most, by alpha: `template_count`."""


def tree_bound(depth: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the sets of an (alpha, beta)-representation by a mistake tree of this depth.

    Along a random path no hypothesis does better than guess, so a share P[Bin(d, 1/2) <= alpha d]
    of the paths suits it, and sets of N suit N times as many (docs/proofs/communication.md). A
    tree holds shallower ones: the best of those.

    >>> from math import log
    >>> [round(log(tree_bound(d, alpha="1/4", beta="1/4")), 3) for d in (64, 512)]
    [10.594, 70.185]
    """
    d = check.count(depth=depth)
    alpha, beta = check.small_probability(alpha=alpha), check.small_probability(beta=beta)
    first = max(0, d - ceil(2 / alpha)) if alpha else d
    lucky = [(depth, sauer(int(alpha * depth), depth)) for depth in range(first, d + 1)]
    return max(1, *(ceil((1 - beta) * Fraction(2**k, paths)) for k, paths in lucky))


def separation_bound(points: int, *, alpha: Exact) -> int:
    """Bound deterministic representations of a class that tells this many points apart.

    Points at which all hypotheses agree have the same mixtures; so for alpha < 1/2 there are at
    least log2 hypotheses.

    >>> separation_bound(2**64, alpha="1/4")
    64
    """
    points = check.count(points=points, least=1)
    return max(1, (points - 1).bit_length()) if 2 * check.exact(alpha=alpha) < 1 else 1


def counting_bound(concepts: int, points: int, *, alpha: Exact) -> int:
    """Bound deterministic representations of so many concepts that tell so many points apart.

    N hypotheses place the points in N dimensions, and a concept is a half-space there that leaves
    all of them apart: |C| <= 2 (C(m-1, 0) + ... + C(m-1, N-1)) [Cov65]. Where it is known, the
    number of templates is sharper.

    >>> counting_bound(8, 8, alpha="1/4"), counting_bound(2**64, 2**64, alpha="1/4")
    (5, 8)
    """
    alpha = check.small_probability(alpha=alpha)
    n, m = check.count(concepts=concepts, least=1), check.count(points=points, least=1)
    if (n - 1).bit_length() > m:
        raise InvalidArgument(f"{m} points have no {n} different concepts")
    if 2 * alpha >= 1:
        return min(n, 2)
    by_planes = least(lambda size: n <= 2 * sauer(min(size, m) - 1, m - 1), low=1)
    known = next((known for a, known in sorted(TEMPLATES.items()) if a >= alpha), ())
    by_templates = next((k for k, most in enumerate(known, 1) if most >= n), len(known) + 1)
    return max(min(by_planes, n), by_templates)


def point_share_bound(points: int, *, beta: Exact) -> int:
    """Bound the sets of a (1/4, beta)-representation of points by three points at a time.

    Concept j under even weights on j and two others suits a hypothesis only if it is right on all
    three, so one that says yes k times suits a share (k / m) C(m - k, 2) / C(m - 1, 2).

    >>> [point_share_bound(m, beta="1/4") for m in (4, 16, 122, 2**64)]
    [3, 5, 6, 6]
    """
    m, beta = check.count(points=points, least=3), check.small_probability(beta=beta)

    def good(k: int) -> int:
        return k * comb(m - k, 2)

    peak = least(lambda k: good(k + 1) <= good(k), low=1)
    return ceil((1 - beta) * Fraction(m * comb(m - 1, 2), good(peak)))


def random_part(concepts: int, *, beta: Exact) -> int:
    """Return how many concepts, drawn at random, leave each out with probability at most beta.

    >>> random_part(16, beta="1/4")
    12
    """
    return max(1, ceil((1 - check.small_probability(beta=beta)) * concepts))


def buckets(alpha: Exact, beta: Exact) -> tuple[int, int, int]:
    """Return (hypotheses, hashes, buckets) that represent points over any domain.

    Zero is good where the point has mass at most alpha; else the bucket of a hash is, but for
    probability (1 - alpha) / (buckets alpha): the least number over the number of hashes.

    >>> buckets("1/4", "1/4"), buckets("0.1", "0.05"), buckets("0.01", "0.01")
    ((13, 1, 12), (76, 3, 25), (1246, 5, 249))
    """
    alpha, beta = check.probability(alpha=alpha), check.probability(beta=beta)
    spread = (1 - alpha) / alpha
    widths = [(hashes, _width(spread, hashes, beta)) for hashes in range(1, 13)]
    return min((hashes * wide + 1, hashes, wide) for hashes, wide in widths)


def _width(spread: Fraction, hashes: int, beta: Fraction) -> int:
    """Return how many buckets make so many hashes fail together with probability beta at most."""
    return least(lambda r: r >= spread and (spread / r) ** hashes <= beta, low=1)
