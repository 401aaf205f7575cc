"""Kernels are compiled with a cache, with none, and with a damaged one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import caching

from tacit.kernels.compiled import compiled


def thrice(x: int) -> int:
    return 3 * x


def nowhere(*_: object) -> None:
    """No place is found."""


def test_no_place_for_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator"):
        monkeypatch.setattr(getattr(caching, name), "from_function", classmethod(nowhere))
    assert compiled(thrice)(5) == 15


def test_a_disk_that_is_full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "_save_data", full)
    monkeypatch.setattr(caching.config, "CACHE_DIR", str(tmp_path))
    assert compiled(thrice)(5) == 15


def test_what_was_kept_is_used_and_a_damaged_file_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(caching.config, "CACHE_DIR", str(tmp_path))
    assert compiled(thrice)(5) == 15
    again = compiled(thrice)
    assert again(5) == 15
    assert sum(again.dispatcher.stats.cache_hits.values()) == 1
    for file in tmp_path.rglob("*.nb?"):
        file.write_bytes(b"damaged")
    assert compiled(thrice)(5) == 15


def test_all_kernels_load_where_nothing_can_be_kept(tmp_path: Path) -> None:
    """The package read-only and no home: as in a container, for whoever is not root."""
    nothing = tmp_path / "file"
    nothing.touch()
    source = """
from numba.core import caching
caching.InTreeCacheLocator.from_function = classmethod(lambda *_: None)
import tacit.kernels.bits.literal_counts, tacit.kernels.bits.elimination
import tacit.kernels.value_changes
import tacit.kernels.littlestone, tacit.kernels.bits.bit_distances
"""
    done = subprocess.run(
        [sys.executable, "-c", source],
        env=os.environ | {"HOME": str(nothing), "XDG_CACHE_HOME": str(nothing)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
