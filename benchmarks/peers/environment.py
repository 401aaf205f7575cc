"""The peers' own virtual environment, which is built when it is first asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv-peers"
WANTED = ROOT / "requirements" / "peers.txt"
PINS = ROOT / "requirements" / "peers-constraints.txt"


def python() -> Path:
    """Return the environment's interpreter; build it if it is missing or its pins have changed."""
    program = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, pins = FOLDER / "installed.txt", WANTED.read_text() + PINS.read_text()
    if not stamp.is_file() or stamp.read_text() != pins:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        pip = (program, "-m", "pip", "install", *quiet, "-r", WANTED, "-c", PINS)
        subprocess.run(pip, check=True)
        stamp.write_text(pins)
    return program
