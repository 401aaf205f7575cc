"""The grid of docs/grid.md: some cells measured again, and all as written within the bars."""

from __future__ import annotations

import re
import statistics

import pytest
from benchmarks import grid

FEW = (
    ("points(bits=8)", "1", "0", 1),
    ("thresholds(bits=32)", "1", "0", 1),
    ("intervals(bits=4)", "0.25", "0", 1),
    ("parities(dims=8)", "1", "0", 1),
    ("points(bits=8)", "1", "0", 8),
)


def _written() -> dict[tuple[str, str, str, int], list[str]]:
    text = grid.PAGE.read_text(encoding="utf-8")
    between = text.partition(grid.BEGIN)[2].partition(grid.END)[0]
    rows = [row.strip("| ").split(" | ") for row in between.splitlines() if row.startswith("| ")]
    return {(row[0], row[1], row[2], int(row[3])): row[4:] for row in rows[1:]}


@pytest.mark.parametrize("asked", FEW, ids=str)
def test_some_cells_again(asked: tuple[str, str, str, int]) -> None:
    found = grid.cell(*asked)
    assert found.holds
    assert found.row.strip("| ").split(" | ")[4:8] == _written()[asked][:4]


def test_the_optima_are_as_written_and_never_above_a_plan() -> None:
    text = grid.PAGE.read_text(encoding="utf-8").partition(grid.KNOWN)[2]
    optima = list(grid.optima())
    assert text.strip().splitlines()[1:] == optima
    for row in optima:
        _, _, best, planned, *_ = row.strip("| ").split(" | ")
        assert int(best) <= int(planned) <= 4 * int(best)


def test_the_page_has_all_cells_and_they_hold() -> None:
    written = _written()
    assert set(written) == set(grid.CELLS)
    assert len(written) >= 40
    ratios = []
    for lower, needed, planned, *_ in written.values():
        assert int(lower) <= int(needed) <= int(planned)
        ratios.append(int(planned) / int(needed))
    assert max(ratios) <= grid.LARGEST_RATIO
    assert statistics.median(ratios) <= grid.LARGEST_MEDIAN
    count = re.search(r"(\d+) of (\d+) cells hold", grid.PAGE.read_text(encoding="utf-8"))
    assert count is not None
    assert count[1] == count[2] == str(len(written))
