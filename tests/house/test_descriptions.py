"""Every public method says what it does, itself or through what it overrides or fulfils."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from docs.conf import described

from tacit.interfaces.cli.verbs import VERBS, load
from tacit.learners import Learner, MultiLearner
from tacit.learners.contract.learner import Promising
from tacit.mechanisms.mechanism import Mechanism
from tacit.sanitizers.contract.synthetic import PromisingSanitizer, Sanitizer

CONTRACTS: dict[str, tuple[Any, ...]] = {
    "tacit.concepts": (),
    "tacit.learners": (Promising, Learner, MultiLearner),
    "tacit.mechanisms": (Mechanism,),
    "tacit.sanitizers": (PromisingSanitizer, Sanitizer),
}
"""Where ruff does not ask for a docstring of each method (pyproject.toml): this test does.

What a contract describes is described for all that fulfil it, whether they inherit it or not.
"""


def _methods(package: str) -> Iterator[tuple[str, Any]]:
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        module = import_module(found.name)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ == found.name and not kind.__name__.startswith("_"):
                for name, member in vars(kind).items():
                    method = callable(member) or isinstance(member, property | classmethod)
                    if method and not name.startswith("_"):
                        yield f"{found.name}.{kind.__name__}.{name}", getattr(kind, name)


@pytest.mark.parametrize(("package", "contracts"), CONTRACTS.items())
def test_every_method_is_described(package: str, contracts: tuple[Any, ...]) -> None:
    methods = dict(_methods(package))
    assert methods
    silent = {name for name, method in methods.items() if not inspect.getdoc(method)}
    told = {
        name
        for contract in contracts
        for name, member in vars(contract).items()
        if inspect.getdoc(member)
    }
    assert {name for name in silent if name.rsplit(".", 1)[1] not in told} == set()


def test_a_description_is_inherited_from_what_is_overridden() -> None:
    class Told:
        def method(self) -> None:
            """Say something."""

    class Silent(Told):
        def method(self) -> None:
            pass

    class Alone:
        def method(self) -> None:
            pass

    assert inspect.getdoc(Silent().method) == "Say something."
    assert inspect.getdoc(Alone().method) is None


def _parameters(name: str, command: Any) -> Iterator[tuple[str, str]]:
    for verb, below in getattr(command, "commands", {}).items():
        yield from _parameters(f"{name} {verb}", below)
    for each in command.params:
        yield f"{name} {each.opts[0]}", (getattr(each, "help", "") or "").strip()


@pytest.mark.parametrize("verb", VERBS)
def test_every_argument_and_option_is_described(verb: str) -> None:
    command = load(verb)
    told = dict(_parameters(verb, command))
    assert [name for name, said in told.items() if not said] == []
    page = described(f"tacit {verb}", command)
    assert f"## tacit {verb}" in page
    assert page.count("\n| ") == len(told) + page.count("| meaning |")
