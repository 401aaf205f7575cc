"""How often a reader who follows a verb function by function comes to another folder.

Functions of the package are listed in the order in which they are first entered, each once;
special methods, nameless functions and bodies of classes are left out. A change is counted where
the next one stands in another top-level folder of `src/tacit`, however deep inside of it: rooms of
a folder are not counted apart. Each verb runs twice and the second run is counted, so that nothing
is there of what only loads; a plan is remembered, so its first run asks for another class.
Beside it stands the number without the ground floor (`core`, `kernels`, `probability`): words that
every folder uses.

Counted like this, the house of 0.1.0, which had ten such folders and not thirteen, had 58, 79 and
60 changes, and 32, 58 and 38 above its ground floor (`core`).

    python -m benchmarks.folder_changes
"""

from __future__ import annotations

import csv
import io
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from inspect import CO_OPTIMIZED
from itertools import pairwise
from pathlib import Path
from types import FrameType

import numpy as np

import tacit
from tacit.interfaces.cli.command import perform

ROOT = f"{Path(tacit.__file__).parent}{os.sep}"
GROUND = ("core", "kernels", "probability")
GOAL = ("--alpha", "0.05", "--epsilon", "1")
SCHEMA = '[columns.age]\ntype="integer"\nlow=0\nhigh=120\n[columns.sick]\ntype="bits"\n'


def entered(work: Callable[[], object]) -> list[str]:
    """Return the top-level folders of the functions that are entered, each function once."""
    known: dict[tuple[str, int], str] = {}

    def see(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        named = not code.co_name.startswith(("<", "__"))
        named = named and bool(code.co_flags & CO_OPTIMIZED)  # which the body of a class is not
        if event == "call" and named and code.co_filename.startswith(ROOT):
            folder = Path(code.co_filename).relative_to(ROOT).parts[0]
            known.setdefault((code.co_filename, code.co_firstlineno), folder)

    sys.setprofile(see)
    try:
        with suppress(SystemExit), redirect_stdout(io.StringIO()):
            work()
    finally:
        sys.setprofile(None)
    return list(known.values())


def changes(folders: Sequence[str]) -> int:
    """Count neighbours that differ.

    >>> changes(["data", "data", "core", "data"])
    2
    """
    return sum(a != b for a, b in pairwise(folders))


def _command(*words: str) -> Callable[[], object]:
    def run() -> None:
        sys.argv = ["tacit", "--quiet", *words]
        perform()

    return run


def _fit() -> object:
    estimators = __import__("tacit.estimators", fromlist=["PrivateThresholdClassifier"])
    ages = np.arange(900).reshape(-1, 1) % 80
    shell = estimators.PrivateThresholdClassifier(bounds=(0, 99), step=1, random_state=1)
    return shell.fit(ages, ages[:, 0] > 45)


def measure() -> None:
    """Print the changes of `learn`, `plan` and `fit`."""
    with Path("people.csv").open("w", encoding="utf-8", newline="") as text:
        csv.writer(text).writerows([["age", "sick"], *([20 + i % 80, i % 2] for i in range(900))])
    Path("schema.toml").write_text(SCHEMA, encoding="utf-8")
    asked = "people.csv --schema schema.toml --features age --labels sick --epsilon 1 --seed 1"
    verbs = {
        "learn": [_command("learn", *asked.split())] * 2,
        "plan": [_command("plan", f"thresholds(bits={bits})", *GOAL) for bits in (31, 32)],
        "fit": [_fit] * 2,
    }
    for name, runs in verbs.items():
        folders = [entered(work) for work in runs][-1]
        above = [folder for folder in folders if folder not in GROUND]
        print(f"{name}: {changes(folders)} folder changes, {changes(above)} above the ground floor")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        here = Path.cwd()
        os.chdir(place)
        try:
            measure()
        finally:
            os.chdir(here)
