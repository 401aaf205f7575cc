"""Compare predictions with the table: allowed here because the table is public."""

from __future__ import annotations

import csv
import sys
from pathlib import Path


def main(folder: Path) -> None:
    """Print the error of each predicted label beside that of the best constant answer."""
    with (folder / "gss.csv").open() as table, (folder / "predictions.csv").open() as predictions:
        rows = list(zip(csv.DictReader(table), csv.DictReader(predictions), strict=True))
    for label in rows[0][1]:
        wrong = sum(truth[label] != said[label] for truth, said in rows) / len(rows)
        yes = sum(truth[label] == "1" for truth, _ in rows) / len(rows)
        print(
            f"{label}: error {wrong:.3f} on the {len(rows)} rows; "
            f"always giving one answer errs {min(yes, 1 - yes):.3f}"
        )


main(Path(sys.argv[1]))
