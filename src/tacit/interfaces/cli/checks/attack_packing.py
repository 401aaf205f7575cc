"""`tacit attack --packing`: can a pure private learner tell so many answers apart?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NamedTuple

import typer
from rich.console import Console
from rich.markup import escape

from tacit.concepts.algebra.parities import Parities
from tacit.core import InvalidArgument, Privacy, check
from tacit.core.chance.randomness import System
from tacit.interfaces.output.progress import patiently
from tacit.probability.clopper_pearson import at_least
from tacit.verify.attack import one_point, parities
from tacit.verify.attack.experiment import LEVEL
from tacit.verify.attack.named import OPEN, learner
from tacit.verify.attack.packing import labels_read_back, parities_read_back, right_at_most

WIDEST = 12
"""Bits of parities whose truth tables are rounded in milliseconds."""


class PackingOptions(NamedTuple):
    """A learner with a budget, what it is to tell apart, and from how many rows."""

    name: str
    on: str
    epsilon: str
    labels: int
    dims: int
    rows: int
    runs: int


def run_packing(asked: PackingOptions, *, delta: str | None, as_json: bool) -> None:
    """Draw labels of one point, or parities of uniform points, and count the runs that are right.

    Hypotheses of parities are rounded to the nearest one.
    """
    if asked.on not in ("point", "parities"):
        raise InvalidArgument(f"--packing is --on point or parities, got {asked.on!r}")
    if check.exact(delta=delta or 0):
        raise InvalidArgument("--packing is about pure privacy: leave out --delta")
    check.count(labels=asked.labels, least=1)
    check.count(dims=asked.dims, least=1, up_to=WIDEST)
    setting = parities(asked.dims) if asked.on == "parities" else one_point(2)
    setting = replace(setting, agnostic=False)  # each label is a concept's
    told = {"labels": asked.labels, "rows": asked.rows}
    with patiently() as tell:
        tell(f"learning {asked.runs} times")
        made = learner(asked.name, setting, **told, privacy=Privacy(asked.epsilon, 0))
        if asked.on == "parities":
            cube = Parities(asked.dims)
            right = parities_read_back(made, cube, **told, runs=asked.runs, rng=System())
        else:
            right = labels_read_back(made, **told, runs=asked.runs, rng=System())
    bits = asked.labels * (asked.dims if asked.on == "parities" else 1)
    private = asked.name not in OPEN
    most = right_at_most(1 << bits, epsilon=asked.epsilon, rows=asked.rows)
    said = {
        "on": asked.on,
        "learner": asked.name,
        "epsilon": float(check.exact(epsilon=asked.epsilon)) if private else None,
        **told,
        "answers_log2": bits,
        "runs": asked.runs,
        "right": right,
        "right_at_most": most if private else 1.0,
        "within_claim": at_least(right, asked.runs, LEVEL) <= most if private else None,
    }
    if as_json:
        typer.echo(json.dumps(said))
        return
    bound = (
        f"at most {most:.2%} can be with ε = {asked.epsilon}" if private else "it is not private"
    )
    Console(highlight=False, emoji=False).print(
        f"Of 2^{bits} answers {escape(asked.name)} told the right one from {asked.rows} rows in "
        f"{right} of {asked.runs} runs; {bound}."
    )
