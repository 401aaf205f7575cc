"""Hostile inputs of every verb: done or refused in a line, in little time and memory.

A part of them is run here, spread over all verbs; all of them with

    TACIT_HOSTILE=all pytest tests/interfaces/cli/test_hostile_inputs.py
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tacit.interfaces.cli.verbs import VERBS
from tests.support.hostile_inputs import ATTACKS, KERNELS, MODELS, lines, write
from tests.support.processes import started

SECONDS = 100
"""Seconds of the processor after which an input counts as one that has no end: it is stopped."""
GROWTH = 2 << 30
"""Bytes that it may take."""
STEP = 1 if os.environ.get("TACIT_HOSTILE") == "all" else 10
Run = Callable[[list[str]], dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def models(folder: Path) -> list[str]:
    return write(folder)


@pytest.fixture(scope="module")
def run(folder: Path, models: list[str]) -> Iterator[Run]:
    """Ask the process that runs lines."""
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    with started(
        [sys.executable, "-m", "tests.support.hostile_run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
    ) as process:
        assert process.stdin
        assert process.stdout
        asked, told = process.stdin, process.stdout

        def ask(words: list[str], seconds: int = SECONDS + 2) -> dict[str, Any]:
            asked.write(json.dumps({"words": words, "seconds": seconds}) + "\n")
            asked.flush()
            answer: dict[str, Any] = json.loads(told.readline())
            return answer

        for line in KERNELS:
            done = ask(shlex.split(line), 600)
            assert done["status"] == 0, done["err"]
        yield ask


def why_not(done: dict[str, Any]) -> str:
    """Say what is wrong with how a line ended; nothing if it is right."""
    said = [line for line in done["err"].splitlines() if not line.endswith(" ...")]
    usage = "Usage" in done["err"] + done["out"] or "Error" in done["err"]
    if done["status"] not in (0, 2, 3) or "Traceback" in done["err"]:
        return f"ended with {done['status']}: {said[-1:]}"
    if done["status"] and not usage and (len(said) != 1 or not said[0].startswith("tacit: ")):
        return f"said {said[:3]}"
    if done["seconds"] > SECONDS or done["grown"] > GROWTH:
        return f"took {done['seconds']:.1f} s and {done['grown'] >> 20} MiB"
    return ""


@pytest.mark.parametrize("verb", VERBS)
def test_a_hostile_input_is_done_or_refused(run: Run, models: list[str], verb: str) -> None:
    asked = [words for words in lines(models) if words[0] == verb][::STEP]
    wrong = {" ".join(words)[:300]: why for words in asked if (why := why_not(run(words)))}
    assert not wrong


def test_there_are_four_hundred_over_all_verbs(models: list[str]) -> None:
    assert ATTACKS.keys() == VERBS.keys()
    assert any(words is MODELS for entries in ATTACKS.values() for _, words in entries)
    assert len(lines(models)) >= 400
    assert len({tuple(words) for words in lines(models)}) > 1000


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ({"status": 1, "err": "Traceback\nKeyError"}, "ended with 1"),
        ({"status": "waits", "err": ""}, "ended with waits"),
        ({"status": -24, "err": ""}, "ended with -24"),
        ({"status": 2, "err": ""}, "said"),
        ({"status": 2, "err": "tacit: no\nand more"}, "said"),
        ({"status": 3, "err": "tacit: no", "seconds": SECONDS + 1}, f"took {SECONDS + 1}"),
        ({"status": 0, "err": "", "grown": 3 << 30}, "3072 MiB"),
        ({"status": 2, "err": "planning ...\ntacit: no"}, ""),
    ],
)
def test_the_judge(done: dict[str, Any], why: str) -> None:
    said = why_not({"out": "", "seconds": 0, "grown": 0} | done)
    assert bool(said) == bool(why)
    assert why in said
