"""The command line and the Python that give the same plan."""

from __future__ import annotations

from typing import Any

NUMBERS = ("n", "alpha", "epsilon", "beta", "delta", "labels", "best_error")
DEFAULTS = {"beta": "0.05", "delta": "0", "labels": 1}
FLAGS = ("agnostic", "proper")


def command(request: dict[str, Any]) -> str:
    """Return the command line.

    >>> command({"spec": "points(bits=8)", "alpha": "0.1", "epsilon": "1", "agnostic": True})
    "tacit plan 'points(bits=8)' --alpha 0.1 --epsilon 1 --agnostic"
    """
    given = [f"--{name.replace('_', '-')} {request[name]}" for name in _given(request)]
    flags = [f"--{name}" for name in FLAGS if request.get(name)]
    return " ".join(["tacit plan", f"'{request['spec']}'", *given, *flags])


def python(request: dict[str, Any]) -> str:
    """Return the Python that prints the answer.

    >>> print(python({"spec": "points(bits=8)", "n": 900, "epsilon": "1"}))
    from tacit.concepts.contract.specification import parse
    from tacit.workflows.planning.plan import plan
    <BLANKLINE>
    found = plan(parse("points(bits=8)"), n=900, epsilon="1")
    print(found.question, found.answer, found.best and found.best.name)
    """
    given = [
        f"{name}={value}" if isinstance(value := request[name], int) else f'{name}="{value}"'
        for name in _given(request)
    ]
    flags = [f"{name}=True" for name in FLAGS if request.get(name)]
    arguments = ", ".join([f'parse("{request["spec"]}")', *given, *flags])
    return (
        "from tacit.concepts.contract.specification import parse\n"
        "from tacit.workflows.planning.plan import plan\n\n"
        f"found = plan({arguments})\n"
        "print(found.question, found.answer, found.best and found.best.name)"
    )


def _given(request: dict[str, Any]) -> list[str]:
    return [name for name in NUMBERS if name in request and request[name] != DEFAULTS.get(name)]
