"""Change single values of rows wherever that brings marginals nearer to those wanted.

How it works. `off` holds, for every cell of every wanted marginal, how many rows too many there
are. To move a row from one cell of a marginal to another changes the sum of squares of `off` by
-2 (off[from] - off[to] - 1), so a change of one value, which moves the row in each marginal of that
attribute, helps if the sum of these gains is positive, and is made at once. Sums of squares only
fall, so the sweeps end; a few are enough (`tacit.sanitizers.marginals.matched_rows`).
"""

from __future__ import annotations

from typing import Any

from tacit.kernels.compiled import compiled


@compiled
def sweep(
    rows: Any, shape: Any, sets: Any, starts: Any, member: Any, off: Any, shifts: Any, turn: Any
) -> Any:
    """Go through all attributes and rows once; return how many values were changed.

    Tried are the next few values, and where there are more than these, as many values of other
    rows, which are others in each turn: so values that many rows have are within reach.

    `sets` lists the attributes of each set, `starts` where its marginal stands in `off`, which says
    how many rows too many there are, and `member` the sets of each attribute.
    """
    changed, width = 0, sets.shape[1]
    cells, moved = member[0].copy(), member[0].copy()
    for attribute in range(len(shape)):
        for row in range(len(rows)):
            old = rows[row, attribute]
            many = shape[attribute] - 1 if shape[attribute] <= shifts + 1 else 2 * shifts
            for shift in range(1, many + 1):
                new = (old + shift) % shape[attribute]
                if shift > shifts:
                    new = rows[
                        (row * 7919 + (turn * shifts + shift) * 104729) % len(rows), attribute
                    ]
                if new == old:
                    continue
                gain = 0.0
                for place in range(member.shape[1]):
                    chosen = member[attribute, place]
                    cell, other = 0, 0
                    for k in range(width):
                        i = sets[chosen, k]
                        cell = cell * shape[i] + rows[row, i]
                        other = other * shape[i] + (new if i == attribute else rows[row, i])
                    cells[place], moved[place] = starts[chosen] + cell, starts[chosen] + other
                    gain += off[cells[place]] - off[moved[place]] - 1
                if gain > 0:
                    for place in range(member.shape[1]):
                        off[cells[place]] -= 1
                        off[moved[place]] += 1
                    rows[row, attribute] = new
                    changed += 1
                    break  # the gains of the other shifts were counted before this change
    return changed
