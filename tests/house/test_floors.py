"""The least versions that are declared are what `make compat` installs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _written(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "pyproject.toml").write_text(text)
    command = [sys.executable, str(ROOT / "requirements/floors.py"), str(folder / "pyproject.toml")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_dependency_has_a_floor(tmp_path: Path) -> None:
    done = _written((ROOT / "pyproject.toml").read_text(), tmp_path)
    assert done.returncode == 0, done.stderr
    pins = done.stdout.splitlines()
    assert {"numpy", "duckdb", "scikit-learn", "pyspark"} <= {pin.split("==")[0] for pin in pins}
    assert all(pin.count("==") == 1 for pin in pins)


def test_a_dependency_without_a_floor_is_refused(tmp_path: Path) -> None:
    text = '[project]\ndependencies = ["numpy"]\n[project.optional-dependencies]\n'
    done = _written(text, tmp_path)
    assert done.returncode == 1
    assert "numpy must look like numpy>=2.0" in done.stderr
