"""Compare risks with what happened, on rows kept back: allowed here because the table is public."""

from __future__ import annotations

import csv
import itertools
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

EDGES = (0, 0.1, 0.3, 0.7, 0.9, 1)


def main(folder: Path) -> None:
    """Print, for rows of similar risk, the mean risk and the share that answered yes."""
    with (folder / "new.csv").open() as table, (folder / "predictions.csv").open() as predictions:
        rows = list(zip(csv.DictReader(table), csv.DictReader(predictions), strict=True))
    for label, told in json.loads((folder / "model.json").read_text())["measured"].items():
        pairs = [(float(said[f"{label}_risk"]), truth[label] == "1") for truth, said in rows]
        title = f"{label}: risks, and the truth on the rows kept back (not private)"
        shown = Table("risk from", "to", "rows", "mean risk", "share of yes", title=title)
        for low, high in itertools.pairwise(EDGES):
            part = [pair for pair in pairs if low <= pair[0] < high]
            if part:
                means = (f"{sum(each) / len(part):.3f}" for each in zip(*part, strict=True))
                shown.add_row(f"{low:g}", f"{high:g}", f"{len(part)}", *means)
        Console(width=100).print(shown)
        print(
            f"AUC {_area(pairs):.3f} by these rows; measured {told['auc']:.3f}, "
            f"between {told['auc_low']:.3f} and {told['auc_high']:.3f}.\n"
        )


def _area(pairs: list[tuple[float, bool]]) -> float:
    """Return the chance that a yes has a higher risk than a no, ties counted half."""
    rows: dict[float, list[int]] = {}
    for risk, yes in pairs:
        rows.setdefault(risk, [0, 0])[yes] += 1
    below, wins = 0, 0.0
    for _, (without, having) in sorted(rows.items()):
        wins += having * (below + without / 2)
        below += without
    return wins / (below * (len(pairs) - below))


main(Path(sys.argv[1]))
