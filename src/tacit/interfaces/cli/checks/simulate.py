"""`tacit simulate`: how often a learner fails, on the worst populations that can be found."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.core import Accuracy, InvalidArgument, TooLarge, check
from tacit.core.budget import LEAST, read_budget, read_share
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import patiently
from tacit.interfaces.pictures.curves import draw_failures
from tacit.interfaces.pictures.picture import drawable
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.verify.enough.adversary import Adversary
from tacit.verify.enough.failure_curves import Curve, Simulation
from tacit.verify.enough.failure_curves import simulate as simulated

EIGHTHS = (1, 2, 4, 6, 8)
"""Without --n, so many eighths of the promised rows are tried."""

LEAN = Fraction(1, 4)
"""Of labels that no rule explains, (1 + 1/4) / 2 agree with the best."""

LARGEST, MOST_COLUMNS = 1024, 128
"""Bits of a number of concepts that a float holds; columns that counting boxes recurses through."""
MOST_RUNS, MOST_JOBS = 10**7, 1024
"""Runs, and tries, that end within days; processes that a machine may have."""


def simulate(
    concepts: Annotated[
        str, typer.Argument(metavar="CLASS", help="What to learn, such as thresholds(bits=32).")
    ],
    *,
    learner: Annotated[str, typer.Option(help="A learner; see: tacit learners.")] = "generic",
    epsilon: Annotated[str, typer.Option(help="The privacy budget for all labels.")] = "1",
    delta: Annotated[str, typer.Option(help="The delta of the budget; 0 for pure privacy.")] = "0",
    alpha: Annotated[str, typer.Option(help="A run fails if the error is above this.")] = "0.1",
    beta: Annotated[str, typer.Option(help="The share of failures that is promised.")] = "0.1",
    labels: Annotated[int, typer.Option(help="How many labels are learned at once.")] = 1,
    agnostic: Annotated[
        bool, typer.Option("--agnostic", help="Labels that no rule explains: 5 of 8 are right.")
    ] = False,
    n: Annotated[
        list[str] | None, typer.Option("--n", help="Numbers of rows, such as 100,200,400.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs for each population and number of rows.")] = 200,
    tries: Annotated[int, typer.Option(help="Moves in the search for the worst.")] = 20,
    jobs: Annotated[int, typer.Option(help="Processes; -1 for as many as there are cores.")] = 1,
    seed: Annotated[int, typer.Option(help="Another number draws other samples.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the curves: .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Run a learner on hard and random populations, and count how often it fails.

    Intervals hold with 95% each. Nothing here is private: the rows are made up.

    Examples:

      tacit simulate 'thresholds(bits=32)' --epsilon 1 --alpha 0.1 --n 200,400,600

      tacit simulate 'points(bits=32)' --learner histogram --delta 1e-6 --jobs -1 --plot curve.svg
    """
    asked = _small(parse(concepts))
    goal, count = Accuracy(_half(alpha), beta), check.count(labels=labels, least=1)
    budget = read_budget(epsilon, delta)
    request = Request(asked, budget, 1, goal.alpha, goal.beta, agnostic, count)
    made = named(learner)(request)
    promised = made.sample_size(goal)
    sizes = _sizes(n) or [max(1, promised * i // 8) for i in EIGHTHS]
    check.count(tries=tries, up_to=MOST_RUNS)
    check.count(jobs=jobs, least=-1, up_to=MOST_JOBS)
    if plot is not None:
        writable(drawable(plot), option="--plot")
    adversary = Adversary(
        asked,
        made,
        goal.alpha,
        runs=check.count(runs=runs, least=1, up_to=MOST_RUNS),
        tries=tries,
        lean=LEAN if agnostic else Fraction(1),
        seed=check.count(seed=seed),
    )
    with patiently() as tell:
        found = simulated(adversary, sizes, runs=runs, jobs=jobs, tell=tell)
        if plot is not None:
            title = f"{asked}, {learner}, epsilon {epsilon}, alpha {alpha}"
            draw_failures(found, plot, title=title, beta=float(goal.beta), promised=promised)
    if as_json:
        typer.echo(json.dumps(_encoded(found, str(asked), learner, goal, promised)))
    else:
        _show(found, goal, promised)


def _small(concepts: ConceptClass[Any]) -> ConceptClass[Any]:
    """Refuse a class whose concepts are too many to be weighed in floating point."""
    if concepts.features > MOST_COLUMNS or concepts.size > 1 << LARGEST:
        raise TooLarge(
            f"{concepts} is too large to simulate: take one of up to 2^{LARGEST} concepts over up "
            f"to {MOST_COLUMNS} columns"
        )
    return concepts


def _half(alpha: str) -> Fraction:
    read = read_share(LEAST, alpha=alpha)
    if 2 * read >= 1:
        raise InvalidArgument(f"alpha must lie between 0 and 1/2, got {alpha}")
    return read


def _sizes(given: list[str] | None) -> list[int]:
    try:
        return [int(text) for text in split(given or [])]
    except ValueError:
        raise InvalidArgument(f"--n takes whole numbers, as in --n 100,200; got {given}") from None


def _encoded(
    found: Simulation, concepts: str, learner: str, goal: Accuracy, promised: int
) -> dict[str, Any]:
    return {
        "class": concepts,
        "learner": learner,
        "alpha": float(goal.alpha),
        "beta": float(goal.beta),
        "promised_n": promised,
        "enough_n": found.enough(goal.beta),
        "worst": _population(found.worst),
        "populations": [
            {
                "name": curve.name,
                "results": [
                    {
                        "n": n,
                        "failures": each.failures,
                        "runs": each.runs,
                        "rate": each.rate,
                        "low": each.low,
                        "high": each.high,
                    }
                    for n, each in zip(found.sizes, curve.shares, strict=True)
                ],
            }
            for curve in found.curves
        ],
    }


def _population(curve: Curve) -> dict[str, Any]:
    population = curve.population
    return {
        "name": curve.name,
        "points": population.points.tolist(),
        "masses": [float(mass) for mass in population.masses],
        "positive": [float(chance) for chance in population.positive],
    }


def _show(found: Simulation, goal: Accuracy, promised: int) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    table = Table("share of runs that fail", *(f"{n} rows" for n in found.sizes))
    for curve in found.curves:
        table.add_row(curve.name, *(f"{each.rate:.3f}" for each in curve.shares))
    worst = found.worst.shares
    table.add_row("  the first, at most", *(f"{each.high:.3f}" for each in worst))
    table.add_row("  the first, at least", *(f"{each.low:.3f}" for each in worst))
    console.print(table)
    enough, said = found.enough(goal.beta), f"more than {float(goal.beta):g} of the runs"
    if enough is None:
        console.print(f"With all numbers of rows that were tried, {said} are seen to fail.")
    else:
        console.print(f"From {enough} rows on, nowhere are {said} seen to fail.")
    console.print(f"Promised, for every population there is: {promised} rows are enough.")
