"""An explicit mistake tree of halfspaces on a grid, of depth b + 1 + b d (d - 1) / 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from tacit.core import InvalidArgument, check


@dataclass(frozen=True, slots=True)
class Path:
    """The points that are asked along a path, and the halfspace 1[w x >= threshold] at its end."""

    points: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    threshold: int


def halfspace_depth(bits: int, dims: int) -> int:
    """Return the depth of the tree on {0, ..., 2^bits - 1}^dims.

    >>> halfspace_depth(2, 3)
    9
    """
    b, d = check.count(bits=bits, least=1), check.count(dims=dims, least=1)
    return b + 1 + b * d * (d - 1) // 2


def halfspace_path(bits: int, dims: int, labels: Sequence[bool]) -> Path:
    """Follow the labels from the root: the i-th point depends on the labels before it only.

    On a line a point tells the direction, then a binary search finds the threshold. From k to
    k + 1 dimensions, the halfspace found is kept on the slice z = 0, with weights that give no two
    points the same value; on the slice z = 1 a binary search over the 2^(b k) values places it
    anew (docs/proofs/communication.md).

    >>> path = halfspace_path(1, 2, (True, False, True))
    >>> path.points, path.weights, path.threshold
    (((0, 0), (1, 0), (1, 1)), (-3, 1), -2)
    >>> follows(path, (True, False, True))
    True
    """
    if len(labels) != halfspace_depth(bits, dims):
        raise InvalidArgument(f"labels must be {halfspace_depth(bits, dims)} many")
    told = iter(labels)
    asked, weight, threshold = _on_a_line(bits, [next(told) for _ in range(bits + 1)])
    points: list[tuple[int, ...]] = [(x,) for x in asked]
    weights = [weight]
    for k in range(1, dims):
        scale = 1 << bits * k
        weights = [2 * scale * w + (1 << bits * i) for i, w in enumerate(weights)]
        threshold = scale * (2 * threshold - 1)
        points = [(*x, 0) for x in points]
        grid = product(range(1 << bits), repeat=k)
        ranked = sorted((_value(weights, x), x) for x in grid)
        low, high = 0, scale
        for label in [next(told) for _ in range(bits * k)]:
            middle = (low + high) // 2
            points.append((*ranked[middle - 1][1], 1))
            low, high = (low, middle) if label else (middle, high)
        weights.append(threshold - ranked[low][0])
    return Path(tuple(points), tuple(weights), threshold)


def follows(path: Path, labels: Sequence[bool]) -> bool:
    """Check that the halfspace gives each point its label."""
    values = [_value(path.weights, point) >= path.threshold for point in path.points]
    return values == [bool(label) for label in labels]


def _on_a_line(bits: int, labels: list[bool]) -> tuple[list[int], int, int]:
    """Return the points asked on a line, and the halfspace that has the labels."""
    low, high, asked = 0, 1 << bits, [0]
    down = labels[0]
    for label in labels[1:]:
        middle = (low + high) // 2
        asked.append(middle)
        low, high = (middle, high) if label == down else (low, middle)
    return asked, *((-1, -low) if down else (1, low + 1))


def _value(weights: Sequence[int], point: Sequence[int]) -> int:
    return sum(w * x for w, x in zip(weights, point, strict=True))
