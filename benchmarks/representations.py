"""Exact dimensions of all small classes against brute force: `make representations`.

All classes of at most six concepts over two, three and four points, one of those that renamed
points and flipped labels carry into each other, at alpha = beta = 1/4.
"""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction

from tests.support.least_lists import least_list, up_to_symmetry

from tacit.theory.representations.list_game import exact_lottery, most_met

QUARTER = Fraction(1, 4)


def main() -> None:
    """Compare them all, check both certificates, and say how many there are of each size."""
    classes = [each for points in (2, 3, 4) for each in up_to_symmetry(points, 6)]
    sizes: Counter[tuple[int, int]] = Counter()
    ours, brute = 0.0, 0.0
    for concepts in classes:
        begun = time.process_time()
        found = exact_lottery(concepts, QUARTER, QUARTER)
        middle = time.process_time()
        plain = least_list(concepts, QUARTER, QUARTER)
        brute += time.process_time() - middle
        ours += middle - begun
        assert found.lower == found.size == plain, concepts.astype(int).tolist()
        assert found.lottery.represents(concepts, QUARTER, QUARTER)
        if plain > 1:
            shown = (concepts, QUARTER, found.challenges, found.weights)
            assert most_met(*shown, plain - 1) < 1 - QUARTER
        sizes[len(concepts), plain] += 1
    print(f"{len(classes)} classes agree: {ours:.1f} s CPU, brute force {brute:.1f} s CPU")
    for (concepts_, size), many in sorted(sizes.items()):
        print(f"{concepts_} concepts, lists of {size}: {many}")


if __name__ == "__main__":
    main()
