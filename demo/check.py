"""Compare what was measured privately with rows nobody learned from, which is allowed here only.

The table is public. With a private one, `tacit measure` tells this, and is paid for.
"""

from __future__ import annotations

import csv
import itertools
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tacit.core.numbers.shown import outwards

EDGES = (0, 0.1, 0.3, 0.7, 0.9, 1)


def main(folder: Path) -> None:
    """Print each label's errors, ranking and risks on the rows kept back, beside the measured."""
    with (folder / "new.csv").open() as table, (folder / "predictions.csv").open() as predictions:
        rows = list(zip(csv.DictReader(table), csv.DictReader(predictions), strict=True))
    print(
        "\nThe table is public, so the truth may be shown. This is NOT private: "
        f"{len(rows)} rows kept back."
    )
    for label, told in json.loads((folder / "model.json").read_text())["measured"].items():
        pairs = [(float(said[f"{label}_risk"]), truth[label] == "1") for truth, said in rows]
        wrong = sum(truth[label] != said[label] for truth, said in rows) / len(rows)
        spread = 2 * (wrong * (1 - wrong) / len(rows)) ** 0.5
        low, high = outwards(told["low"], told["high"], 1, times=100)
        least, most = outwards(told["auc_low"], told["auc_high"], 3)
        meets = told["low"] - spread <= wrong <= told["high"] + spread
        print(
            f"{label} errs {wrong:.1%} of the time on them, give or take {spread:.1%}; measured "
            f"privately: {told['error']:.1%} ({low} to {high}). "
            f"{'They agree' if meets else 'They do not agree, which is rare'}. "
            f"AUC {_area(pairs):.3f}; measured privately: {told['auc']:.3f} ({least} to {most})."
        )
        _show_risks(label, pairs)


def _show_risks(label: str, pairs: list[tuple[float, bool]]) -> None:
    """Print, for rows of similar risk, the mean risk and the share that answered yes."""
    shown = Table(f"risk of {label} from", "to", "rows kept back", "mean risk", "share of yes")
    for low, high in itertools.pairwise(EDGES):
        part = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1]
        if part:
            means = (f"{sum(each) / len(part):.3f}" for each in zip(*part, strict=True))
            shown.add_row(f"{low:g}", f"{high:g}", f"{len(part)}", *means)
    Console(width=100).print(shown)


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
