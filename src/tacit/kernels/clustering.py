"""Partitions of concepts into cells of least cost: all of them by dynamic programming, in integers.

How it works. A deterministic protocol is a partition of the concepts into cells, one a message; a
cell costs what its best answers err. `subset_costs` lists the cost of each of the 2^n sets as one
cell. `one_more` adds a cell: the least cost of a set in k cells is the least, over its subsets with
its greatest element, of that subset's cost plus the rest's in k - 1 cells. As the greatest element
is always taken out, what is left after k cells lacks the k greatest elements, and tables shrink:
less than 3^n / 4 steps, whatever the number of cells. `partitions` walks back through the tables
and writes down all partitions up to some cost.

`improve` is the quick search beside it, in floats: single concepts are moved or swapped while the
error falls. It proves nothing; what it finds is counted exactly by others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.compiled import compiled

ROUNDING = 1e-12
"""A gain of error smaller than this may be rounding alone, and moves would go round in circles."""


@compiled
def subset_costs(signed: Any) -> Any:
    """Return for each set of concepts what it errs if one answer a point serves all of it.

    `signed[c, x]` is the weight of (c, x), negative where the concept says no. At a point the
    answer with more weight is given: the set errs (all weight - |sum of signed weights|) / 2.
    """
    n, m = signed.shape
    size = 1 << n
    cost = np.zeros(size, dtype=np.int64)
    weight = np.zeros(size, dtype=np.int64)
    line = np.zeros(size, dtype=np.int64)
    for x in range(m):
        # One concept more doubles the table: each sum is an earlier one plus one weight.
        for i in range(n):
            half = 1 << i
            for s in range(half):
                line[half + s] = line[s] + signed[i, x]
        for s in range(size):
            cost[s] -= abs(line[s])
    for i in range(n):
        half, total = 1 << i, np.int64(0)
        for x in range(m):
            total += abs(signed[i, x])
        for s in range(half):
            weight[half + s] = weight[s] + total
    for s in range(size):
        cost[s] = (cost[s] + weight[s]) >> 1
    return cost


@compiled
def _greatest(t: Any) -> Any:
    top = np.int64(1)
    while t >> 1 >= top:
        top <<= 1
    return top


@compiled
def one_more(single: Any, fewer: Any, low: Any, high: Any, work: Any) -> Any:
    """Return the least costs of the sets from `low` to `high` in one more cell than `fewer`.

    `single` are the costs of sets as one cell; the new cell holds the greatest element. Stops when
    there is no work left.
    """
    best = np.zeros(high - low, dtype=np.int64)
    for t in range(max(low, 1), high):
        others = t ^ _greatest(t)
        least, rest, steps = single[t], others, 1
        # (rest - 1) & others is the next smaller subset: all of them, without a list.
        while rest:
            least = min(least, single[t ^ rest] + fewer[rest])
            rest = (rest - 1) & others
            steps += 1
        best[t - low] = least
        work[0] -= steps
        if work[0] < 0:
            break
    return best


@compiled
def partitions(
    tables: Any, starts: Any, parts: Any, t: Any, bound: Any, cells: Any, found: Any, count: Any
) -> Any:
    """Write down the partitions of a set with at most some cost, each once; return how many.

    `tables[starts[k] :]` are the least costs in k cells. Ends when there are more than there is
    room for; `cells` is where they are built.
    """
    if t == 0:
        if count < len(found):
            found[count] = cells
        return count + 1
    others = t ^ _greatest(t)
    rest = others
    while count <= len(found):
        cost = tables[t ^ rest]
        if rest == 0 or parts > 1:
            least = cost if rest == 0 else cost + tables[starts[parts - 1] + rest]
            if least <= bound:
                for c in range(len(cells)):
                    if (t ^ rest) >> c & 1:
                        cells[c] = parts - 1
                count = partitions(
                    tables, starts, parts - 1, rest, bound - cost, cells, found, count
                )
        if rest == 0:
            break
        rest = (rest - 1) & others
    return count


@compiled
def improve(signed: Any, starts: Any, messages: Any) -> Any:
    """Move and swap single concepts while the error falls, from each start; return the errors too.

    Here weights are floats. `starts` holds a row of cells each and is improved in place.
    """
    n, m = signed.shape
    errors = np.empty(len(starts))
    for k in range(len(starts)):
        cells = starts[k]
        sums = np.zeros((messages, m))
        for c in range(n):
            for x in range(m):
                sums[cells[c], x] += signed[c, x]
        # Swaps cost n times as much as moves, so they are tried only where no move helps any more.
        while _moved(signed, cells, sums) or _swapped(signed, cells, sums):
            pass
        rename(cells)
        errors[k] = (np.abs(signed).sum() - np.abs(sums).sum()) / 2
    return errors


@compiled
def rename(cells: Any) -> Any:
    """Number the cells 0, 1, ... in the order in which they come, in place."""
    names = np.full(cells.max() + 1, -1)
    count = 0
    for c in range(len(cells)):
        if names[cells[c]] < 0:
            names[cells[c]] = count
            count += 1
        cells[c] = names[cells[c]]


@compiled
def _moved(signed: Any, cells: Any, sums: Any) -> Any:
    n, m = signed.shape
    changed = False
    for c in range(n):
        here = cells[c]
        most, where = ROUNDING, here
        alone = 0.0
        for x in range(m):
            alone += abs(sums[here, x]) - abs(sums[here, x] - signed[c, x])
        for k in range(len(sums)):
            gain = -alone
            for x in range(m):
                gain += abs(sums[k, x] + signed[c, x]) - abs(sums[k, x])
            if k != here and gain > most:
                most, where = gain, k
        if where != here:
            for x in range(m):
                sums[here, x] -= signed[c, x]
                sums[where, x] += signed[c, x]
            cells[c] = where
            changed = True
    return changed


@compiled
def _swapped(signed: Any, cells: Any, sums: Any) -> Any:
    n, m = signed.shape
    changed = False
    for c in range(n):
        for d in range(c):
            a, b = cells[c], cells[d]
            gain = 0.0
            for x in range(m):
                more = signed[d, x] - signed[c, x]
                gain += abs(sums[a, x] + more) - abs(sums[a, x])
                gain += abs(sums[b, x] - more) - abs(sums[b, x])
            if a != b and gain > ROUNDING:
                for x in range(m):
                    more = signed[d, x] - signed[c, x]
                    sums[a, x] += more
                    sums[b, x] -= more
                cells[c], cells[d] = b, a
                changed = True
    return changed
