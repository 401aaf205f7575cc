"""Noisy counts made less noisy by the model that fits them best: post-processing of a release.

Each true count is thought of as Poisson around the model's, and the noisy count as that with noise
whose probabilities go down by a known ratio with each step away from zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincc, gammaln

from tacit.sanitizers.contract.rounding import simplex
from tacit.sanitizers.marginals.array_axes import AxisCut

Pair = tuple[int, int]
PAIR_ROUNDS, CLASS_ROUNDS, EXACT = 40, 150, 10
"""Rounds after which a model hardly moves, by trial, and how many of the last are exact."""
SMALL = 1e-9
"""Rows that are added to each cell: no logarithm is that of 0."""
PRIOR = 1.0
"""So many rows are added to each value in each class."""
GOLDEN = (5**0.5 - 1) / 2
"""Its multiples, modulo 1, are spread most evenly."""


Table = NDArray[np.float64]
LARGE = 500.0
"""Above so many rows Poisson and noise are taken for normal."""
TINY = 1e-280


def variance_of(ratio: float) -> float:
    """Return the variance of the noise.

    >>> variance_of(0.5)
    4.0
    """
    return 2 * ratio / (1 - ratio) ** 2


def expected(
    noisy: NDArray[Any], model: Table, *, total: int, ratio: float, exact: bool = True
) -> Table:
    """Return the expected counts, given their sum; some may be below zero.

    Unless `exact`, each of model and noisy count is weighed by its precision, as if all were
    normal, which is faster.

    >>> near = expected(np.array([9, -1]), np.array([4.0, 4.0]), total=8, ratio=0.5, exact=False)
    >>> near.tolist()
    [6.5, 1.5]
    """
    left = model / (model + variance_of(ratio))
    counts = posterior(noisy, model, ratio)[0] if exact else model + left * (noisy - model)
    summed: Table = counts + (total - counts.sum()) * left / left.sum()
    return summed


def posterior(noisy: NDArray[Any], model: Table, ratio: float) -> tuple[Table, Table]:
    """Return each count's expectation, and the logarithm of its noisy one's probability.

    Up to the noisy count y the joint probabilities are those of a Poisson variable of mean
    model / ratio, but for a factor, and above y of one of mean model * ratio.

    >>> mean, log = posterior(np.array([3]), np.array([2.0]), 0.5)
    >>> mean.round(4).tolist(), np.exp(log).round(4).tolist()
    ([2.446], [0.1521])
    """
    variance = variance_of(ratio)
    spread = model + variance
    mean = model + model / spread * (noisy - model)
    log = -((noisy - model) ** 2 / spread + np.log(2 * np.pi * spread)) / 2
    at = np.flatnonzero((model / ratio < LARGE) & (noisy < LARGE))
    y, low, high = noisy[at], model[at] / ratio, model[at] * ratio
    steps = y * np.log(ratio)
    top = np.maximum(steps + low, high - steps)
    below, above = np.exp(steps + low - top), np.exp(high - steps - top)
    ends = np.maximum(y, 0) + 1.0
    up_to = np.where(y < 0, 0.0, gammaincc(ends, low))
    beyond = np.where(y < 0, 1.0, gammainc(ends, high))
    joint = below * up_to + above * beyond
    before = up_to - _at(y, low)
    moment = low * below * before + high * above * (beyond + _at(y, high))
    fine = joint > TINY
    mean[at[fine]] = moment[fine] / joint[fine]
    constant = np.log((1 - ratio) / (1 + ratio)) - model[at] + top
    log[at[fine]] = (np.log(np.maximum(joint, TINY)) + constant)[fine]
    return mean, log


def _at(value: NDArray[Any], centre: Table) -> Table:
    """Return the probability of the values under Poisson laws."""
    held = np.maximum(value, 0)
    log = held * np.log(centre) - centre - gammaln(held + 1.0)
    return np.where(value < 0, 0.0, np.exp(log))


def brought_back(noisy: NDArray[Any], model: Table, ratio: float) -> Table:
    """Return the model nearer to the noisy counts, as far as these vary more than it explains.

    How much the truth varies around the model beyond Poisson, over its square, is estimated.
    """
    spread = model + variance_of(ratio)
    excess = ((noisy - model) ** 2 - spread).sum() / (model**2).sum()
    wide = max(0.0, float(excess)) * model**2
    return np.maximum(model + wide / (wide + spread) * (noisy - model), SMALL)


CLASSES = (2, 4, 8, 16, 32)
LARGEST = 1 << 23
"""Cells times pairs of attributes that are fitted in about a second."""
WIDEST = 1 << 16
"""A model has at most so many cells, over all its classes."""


def affordable(shape: tuple[int, ...]) -> bool:
    """Whether two classes are much less than the table, and can be fitted in about a second.

    >>> affordable((2,) * 10), affordable((2,) * 20), affordable((1024,)), affordable((2, 2))
    (True, False, False, False)
    """
    pairs = len(shape) * (len(shape) - 1) // 2
    return 2 * parameters(shape, 2) <= prod(shape) and 0 < pairs * prod(shape) <= LARGEST


def smoothed(noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float) -> Table:
    """Return non-negative counts with this sum, from counts with noise of this ratio.

    Attributes may interact in pairs, in those of a tree, or by 2, 4, ... hidden classes. The model
    is taken that fits best, less the number of its parameters [Aka74]; then the counts are expected
    from it and from the noisy ones, as far as it fits. The caller checks if they may be used.

    >>> smoothed(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4).round(1).tolist()
    [8.2, 0.5, 0.0, 11.2]
    """
    models = list(_models(noisy, shape, total, ratio))
    best = max(models, key=lambda m: float(posterior(noisy, m[0], ratio)[1].sum()) - m[1])[0]
    near = brought_back(noisy, best, ratio)
    return simplex(expected(noisy, near, total=total, ratio=ratio), total)


def _models(
    noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float
) -> Iterator[tuple[Table, int]]:
    """Yield each model, with the number of its parameters."""
    every = pairwise(noisy, shape, total, ratio)
    yield every, _numbers(shape, combinations(range(len(shape)), 2))
    tree = clearest_tree(every, shape)
    yield pairwise(noisy, shape, total, ratio, tree), _numbers(shape, tree)
    for classes in CLASSES:
        if classes * noisy.size <= WIDEST and 2 * parameters(shape, classes) <= noisy.size:
            model = latent_classes(noisy, shape, total, ratio, classes)
            yield model, parameters(shape, classes)


def _numbers(shape: tuple[int, ...], pairs: Iterable[Pair]) -> int:
    """Return how many numbers a model of these pairs consists of."""
    return sum(s - 1 for s in shape) + sum((shape[i] - 1) * (shape[j] - 1) for i, j in pairs)


def pairwise(
    noisy: NDArray[Any],
    shape: tuple[int, ...],
    total: int,
    ratio: float,
    pairs: Iterable[Pair] | None = None,
) -> Table:
    """Return a model of the counts, from counts with noise of this ratio.

    Alternately the counts are expected from the model and the noisy counts, and the model is fitted
    to all pairs of these, or to those told, by one round of scaling in turn [Csi75].

    >>> pairwise(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4).round(1).tolist()
    [8.2, 0.5, 0.0, 11.2]
    """
    chosen = tuple(combinations(range(len(shape)), 2)) if pairs is None else tuple(pairs)
    model = np.full(noisy.size, total / noisy.size)
    estimate = simplex(noisy, total)
    for done in range(PAIR_ROUNDS):
        for pair in chosen:
            wanted, now = (AxisCut.of(t, shape, pair) for t in (estimate, model))
            now.scale((wanted.marginal + SMALL) / (now.marginal + SMALL))
        exact = done >= PAIR_ROUNDS - EXACT
        given = expected(noisy, model + SMALL, total=total, ratio=ratio, exact=exact)
        estimate = simplex(given, total)
    return model + SMALL


def clearest_tree(table: Table, shape: tuple[int, ...]) -> list[Pair]:
    """Return pairs that join all attributes and together say most of each other [CL68].

    >>> clearest_tree(np.array([36.0, 9, 1, 4, 4, 1, 9, 36]), (2, 2, 2))
    [(0, 1), (1, 2)]
    """
    said = {}
    for pair in combinations(range(len(shape)), 2):
        joint = AxisCut.of(table, shape, pair).marginal + SMALL
        apart = joint.sum(axis=0) * joint.sum(axis=1, keepdims=True) / joint.sum()
        said[pair] = float((joint * np.log(joint / apart)).sum())
    part, tree = list(range(len(shape))), []
    for one, other in sorted(said, key=lambda pair: (-said[pair], pair)):
        if part[one] != part[other]:
            tree.append((one, other))
            part = [part[one] if p == part[other] else p for p in part]
    return sorted(tree)


def latent_classes(
    noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float, classes: int
) -> Table:
    """Return a model of the counts with so many classes, from counts with noise of this ratio.

    Alternately the counts are expected from the model and the noisy counts, and the shares of the
    classes and of the values in each are those of the expected rows [DLR77]. Within a class all
    attributes are independent; with enough classes every distribution is of that kind.

    >>> latent_classes(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4, 2).round(0).tolist()
    [6.0, 2.0, 2.0, 9.0]
    """
    shares = np.full(classes, 1 / classes)
    values = _start(shape, classes)
    for done in range(CLASS_ROUNDS):
        joint = _joint(shares, values)
        model = total * joint.sum(axis=1) + SMALL
        exact = done >= CLASS_ROUNDS - EXACT
        given = expected(noisy, model, total=total, ratio=ratio, exact=exact).clip(0.0)
        held = joint * (total * given / model)[:, None]
        shares = (held.sum(axis=0) + SMALL) / (held.sum() + classes * SMALL)
        for i in reversed(range(len(shape))):
            cut = held.reshape(-1, shape[i], classes)
            seen, held = cut.sum(axis=0) + PRIOR, cut.sum(axis=1)
            values[i] = seen / seen.sum(axis=0)
    fitted: Table = total * _joint(shares, values).sum(axis=1) + SMALL
    return fitted


def parameters(shape: tuple[int, ...], classes: int) -> int:
    """Return how many numbers a model consists of.

    >>> parameters((2,) * 10, 4)
    43
    """
    return classes * (1 + sum(size - 1 for size in shape)) - 1


def _joint(shares: Table, values: list[Table]) -> Table:
    """Return the probability of each cell and class."""
    joint = shares[None, :]
    for table in values:
        joint = (joint[:, None, :] * table).reshape(-1, len(shares))
    return joint


def _start(shape: tuple[int, ...], classes: int) -> list[Table]:
    """Return values' shares in each class, none like another: multiples of the golden section."""
    numbers = np.arange(1, sum(shape) * classes + 1, dtype=np.float64)
    spread = 1 + (numbers * (numbers * GOLDEN % 1) % 1)
    tables = np.split(spread.reshape(-1, classes), np.cumsum(shape)[:-1])
    return [table / table.sum(axis=0) for table in tables]
