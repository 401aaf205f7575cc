"""Compare what was measured privately with rows nobody learned from, which is allowed here only.

The table is public. With a private one, `tacit measure` tells this, and is paid for.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path


def main(folder: Path) -> None:
    """Print each label's measured error and interval beside its errors on the rows kept back."""
    with (folder / "new.csv").open() as table, (folder / "predictions.csv").open() as predictions:
        rows = list(zip(csv.DictReader(table), csv.DictReader(predictions), strict=True))
    print(f"\nNOT private, since the table is public: the truth on {len(rows)} rows kept back.")
    for label, told in json.loads((folder / "model.json").read_text())["measured"].items():
        wrong = sum(truth[label] != said[label] for truth, said in rows) / len(rows)
        yes = sum(truth[label] == "1" for truth, _ in rows) / len(rows)
        spread = 2 * (wrong * (1 - wrong) / len(rows)) ** 0.5
        meets = told["low"] - spread <= wrong <= told["high"] + spread
        print(
            f"{label}: errs {wrong:.1%}, give or take {spread:.1%} for so few rows; measured was "
            f"{told['error']:.1%}, between {told['low']:.1%} and {told['high']:.1%}: "
            f"{'they agree' if meets else 'they do not agree, which is rare'}. "
            f"Always giving one answer errs {min(yes, 1 - yes):.1%}."
        )


main(Path(sys.argv[1]))
