"""Packages that import their names on demand: every name is there, and means one thing."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import tacit

LAZY = (
    "tacit",
    "tacit.concepts",
    "tacit.core.composition",
    "tacit.data",
    "tacit.learners",
    "tacit.mechanisms",
    "tacit.sanitizers",
    "tacit.statistics",
    "tacit.workflows",
)


@pytest.mark.parametrize("package", LAZY)
def test_every_name_of_a_package_can_be_imported(package: str) -> None:
    held = import_module(package)
    for name in held.__all__:
        assert getattr(held, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = held.nothing


@pytest.mark.parametrize("package", LAZY)
def test_no_name_is_also_a_module_that_would_take_its_place(package: str) -> None:
    held = import_module(package)
    modules = {module.name for module in pkgutil.iter_modules(held.__path__)}
    assert modules & set(held.__all__) <= {"verify"}


def test_verify_can_be_called_before_and_after_its_package_is_imported() -> None:
    assert callable(tacit.verify)
    import_module("tacit.verify.enumeration")
    assert callable(tacit.verify)


@pytest.mark.parametrize("package", LAZY)
def test_a_package_alone_imports_next_to_nothing(package: str) -> None:
    told = f"import sys, {package}; print(*(m for m in sys.modules if m.startswith('tacit')))"
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert len(ran.stdout.split()) < 25
