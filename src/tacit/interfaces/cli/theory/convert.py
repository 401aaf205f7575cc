"""`tacit convert`: learner, representation, protocol, game; from one to the other."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from tacit.concepts.contract.specification import parse
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.output.progress import patiently
from tacit.workflows.converting import Conversion
from tacit.workflows.converting import convert as steps_of

UNITS = {"learner": " rows", "representation": " hypotheses"}
LONG = 1 << 40  # a size above it is shown by its logarithm only


def convert(
    concepts: Annotated[str, typer.Argument(metavar="CLASS", help="A class, small or not.")],
    *,
    start: Annotated[
        str, typer.Option("--from", help="learner, representation, protocol or game.")
    ],
    end: Annotated[str, typer.Option("--to", help="learner, representation, protocol or game.")],
    epsilon: Annotated[str, typer.Option(help="The privacy of learners.")] = "1",
    alpha: Annotated[str, typer.Option(help="Error of learners, distance of hypotheses.")] = "1/4",
    beta: Annotated[str, typer.Option(help="How unsure the promise of a learner may be.")] = "1/4",
    failure: Annotated[
        str | None, typer.Option(help="How often what is drawn may be bad; half of beta if left.")
    ] = None,
    error: Annotated[str, typer.Option(help="Error of the protocol that is begun with.")] = "1/4",
    n: Annotated[
        int | None, typer.Option("--n", help="Rows of the first learner, in place of --alpha.")
    ] = None,
    messages: Annotated[
        int | None, typer.Option(help="Messages of the game, in place of --error.")
    ] = None,
    learner: Annotated[str, typer.Option(help="The first learner; see: tacit learners.")] = (
        "generic"
    ),
    as_json: Json = False,
) -> None:
    """Turn a learner into a representation, that into a protocol, that into a learner.

    Each step says by which theorem, how large it is, what is declared of it and, for small classes,
    what is exactly true of it. A size is the rows of a learner, the hypotheses of a representation
    (ln in nats) or the messages of a protocol (log2 in bits). From learner to learner it goes
    all round.

    Examples:

      tacit convert 'points(values=3)' --from learner --to learner

      tacit convert 'thresholds(values=5)' --from game --to learner --messages 3

      tacit convert 'points(bits=64)' --from protocol --to learner --error 1/1000 --alpha 0.1 --json
    """
    of = parse(concepts)
    with patiently() as tell:
        steps = steps_of(
            of,
            start,
            end,
            epsilon=epsilon,
            alpha=alpha,
            beta=beta,
            failure=failure,
            error=error,
            n=n,
            messages=messages,
            learner=learner,
            tell=tell,
        )
    said = {"class": str(of), "from": start, "to": end, "steps": [_told(step) for step in steps]}
    if as_json:
        typer.echo(json.dumps(said))
    else:
        _show(said)


def _told(step: Conversion) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "by": step.by,
        "size": step.size,
        "nats": step.nats,
        "bits": step.bits,
        "declared": _numbers(step.declared),
        "exact": _numbers(step.exact) or None,
        "loss": step.loss,
    }


def _numbers(named: dict[str, Fraction]) -> dict[str, Any]:
    """Write each number as a float, and as the fraction that it is."""
    floats = {name: float(value) for name, value in named.items()}
    return floats | {f"{name}_exact": str(value) for name, value in named.items()}


def _show(said: dict[str, Any]) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    console.print(f"[bold]{escape(said['class'])}[/], from {said['from']} to {said['to']}")
    for step in said["steps"]:
        size, nats = step["size"], step["nats"]
        shown = f"{size:,}" if size < LONG else "many"
        shown += UNITS.get(step["kind"], " messages")
        shown += "" if nats is None else f" ({nats:.2f} nats, {step['bits']:.2f} bits)"
        exact = f"; exactly {_listed(step['exact'])}" if step["exact"] else ""
        by = f"{step['by']}; lost: {step['loss']}" if step["loss"] else step["by"]
        console.print(f"[bold]{step['kind']}[/]: {shown}, {_listed(step['declared'])}{exact}")
        console.print(f"  by {escape(by)}")


def _listed(numbers: dict[str, Any]) -> str:
    named = ((name, value) for name, value in numbers.items() if not name.endswith("_exact"))
    return ", ".join(f"{name} {value:.4g}" for name, value in named)
