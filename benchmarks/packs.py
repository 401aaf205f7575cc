"""Packs: the checker's epsilon beside the library's on 10,000 trees, and 1,000 changed packs.

python -m benchmarks.packs [trees] [changes]
"""

from __future__ import annotations

import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from random import Random

from tests.support import packs
from tests.support.random_costs import DELTAS, random_cost

from tacit.core.composition.proof import prove
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument
from tacit.workflows.releasing import check_release


def trees(wanted: int) -> None:
    """Compare until so many trees were priced by both."""
    dice, both, without, below, above = Random(2026), 0, 0, 0, Fraction(0)
    spent = [0.0, 0.0]
    while both < wanted:
        cost, delta = random_cost(dice, dice.randint(1, 3)), dice.choice(DELTAS)
        start = time.perf_counter()
        try:
            proof = prove(cost, delta)
        except InvalidArgument:
            without += 1
            continue
        middle = time.perf_counter()
        claimed = proof.privacy.epsilon
        claim = {"epsilon": str(claimed), "delta": str(delta), **proof.encode()}
        try:
            shown, _ = check_release.proved(encode_cost(cost), claim)
        except ValueError as error:
            if "too many worlds" not in str(error):
                raise
            without += 1
            continue
        spent = [spent[0] + middle - start, spent[1] + time.perf_counter() - middle]
        both, below = both + 1, below + (shown < claimed)
        above = max(above, shown - claimed)
    print(f"{both} trees: the checker's epsilon below the library's {below} times, above it by up")
    print(
        f"to {float(above)}; {without} trees without proof; seconds {spent[0]:.0f}, {spent[1]:.0f}"
    )


def changes(wanted: int) -> None:
    """Change packs, and count those that are believed."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        pack = packs.make(Path(first))
        other = packs.make(Path(second), "thresholds")
    true = [check_release.check(each.raw, each.key) for each in (pack, other)]
    believed, start = [], time.perf_counter()
    for said, raw in zip(range(wanted), packs.tampered(pack, other, Random(7)), strict=False):
        try:
            check_release.check(raw[1], pack.key)
            believed.append(raw[0])
        except Exception:
            continue
        print(said, raw[0])
    spent = time.perf_counter() - start
    print(f"{wanted} changed packs: {len(believed)} believed; {len(true)} true ones believed;")
    print(f"{1000 * spent / wanted:.0f} ms each")


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:]] + [10_000, 1_000][len(sys.argv) - 1 :]
    changes(asked[1])
    trees(asked[0])
