"""How many uniform points tell a parity from all others.

Of the papers: BNS16 Lemma 5.3.
"""

from __future__ import annotations

import math

from tacit.core import check
from tacit.core.numbers.exact import Exact


def rank_bound(dims: int, *, beta: Exact) -> int:
    """Bound the rows of any learner of parities over uniform points, for errors below 1/4.

    A hypothesis nearer than 1/4 tells the parity [BNS16 Lemma 5.3]. Of a uniform parity, n rows
    leave 2^(d - n) or more that are equally likely, so it is told with probability 2^(n - d) at
    most: n >= d - log2(1 / (1 - beta)).

    >>> rank_bound(16, beta=0.05), rank_bound(16, beta=0.5)
    (16, 15)
    """
    d, failure = check.count(dims=dims), float(check.probability(beta=beta))
    return max(0, math.ceil(d + math.log2(1 - failure) - 1e-9))
