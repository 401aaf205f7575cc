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
DATA = ROOT / "requirements" / "peers-data.txt"


def python() -> Path:
    """Return the environment's interpreter; build it if it is missing or its pins have changed."""
    program = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = FOLDER / "installed.txt"
    pins = "".join(part.read_text() for part in (WANTED, PINS, DATA))
    if not stamp.is_file() or stamp.read_text() != pins:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
        pip = (program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run((*pip, "-r", WANTED, "-c", PINS), check=True)
        subprocess.run((*pip, "--no-deps", "-r", DATA), check=True)
        stamp.write_text(pins)
    return program
