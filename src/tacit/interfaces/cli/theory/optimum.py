"""`tacit optimum`: the best private learner of a small class, proved from both sides."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.concepts.contract.specification import parse
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.options.certificate import CertificatePath, write_certificate
from tacit.interfaces.cli.options.release import Delta, Json
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import patiently
from tacit.theory.optimum.optimum import ClassOptimum, VotesOptimum, votes
from tacit.theory.optimum.optimum import optimum as best_of
from tacit.theory.optimum.votes import read_votes
from tacit.theory.solving.logarithms import float_above, float_below
from tacit.workflows.regret import SECONDS, Regret, regrets, vote_regrets
from tacit.workflows.releasing.certificates import optimum_certificate

UNANIMOUS = "probability to miss the candidate that all rows vote for"
PARTLY = "probability to miss the target, for which each row votes with probability alpha"
ERROR = "expected error on the rows, on the worst database that a concept explains"
EXCESS = "expected error on the rows above the best concept's, on the worst database"
FAILURE = "probability of an error above alpha, on the worst population of the family"


def optimum(
    concepts: Annotated[
        str, typer.Argument(metavar="CLASS", help="A small class, or votes(candidates=2^32).")
    ],
    *,
    n: Annotated[int, typer.Option("--n", help="How many rows there are.")],
    epsilon: Annotated[str, typer.Option(help="The privacy budget.")],
    delta: Delta = "0",
    alpha: Annotated[
        str | None, typer.Option(help="Count failures: errors above alpha on hard populations.")
    ] = None,
    proper: Annotated[
        bool, typer.Option("--proper", help="Only learners whose rules are of the class.")
    ] = False,
    agnostic: Annotated[
        bool, typer.Option("--agnostic", help="Labels need not be explained by any rule.")
    ] = False,
    labels: Annotated[int, typer.Option(help="How many labels a row has.")] = 1,
    time_limit: Annotated[
        float, typer.Option(help="Seconds that the laws of each of our learners may take.")
    ] = SECONDS,
    certificate: CertificatePath = None,
    as_json: Json = False,
) -> None:
    """Compute the best private learner of a small class, and prove that none is better.

    Without --alpha, what is lost is the expected error on the rows themselves, on the worst
    database. With it, the probability of an error above alpha on the worst of a family of hard
    populations: no learner with n rows can promise less. A law attains the upper number, a prior
    proves the lower one; both are exact, checked, and in the JSON. Our learners are compared. Of
    several labels each has its own rule, and the error is that of the worst of them.

    Examples:

      tacit optimum 'thresholds(values=3)' --n 6 --epsilon 1 --proper

      tacit optimum 'points(values=4)' --n 5 --epsilon 1 --alpha 0.25

      tacit optimum 'points(values=2)' --n 4 --epsilon 2 --alpha 0.4 --labels 2

      tacit optimum 'votes(candidates=2^32)' --n 16 --epsilon 2 --json
    """
    candidates, seconds = read_votes(concepts), float(check.positive(time_limit=time_limit))
    if certificate is not None:
        writable(certificate, option="--certificate")
        if candidates is not None or alpha is not None or labels != 1 or check.exact(delta=delta):
            raise InvalidArgument(
                "--certificate is for one label of a class, without --alpha and --delta; leave "
                "these out, or --certificate"
            )
    with patiently() as tell:
        if candidates is not None:
            if proper or agnostic or labels != 1:
                raise InvalidArgument("votes take no --proper, --agnostic, --labels; leave it out")
            mass = Fraction(1) if alpha is None else check.probability(alpha=alpha)
            best: ClassOptimum | VotesOptimum = votes(
                candidates, n=n, epsilon=epsilon, delta=delta, mass=mass, tell=tell
            )
            loss = UNANIMOUS if alpha is None else PARTLY
            compared = vote_regrets(best, candidates, n, mass)
            left_out: dict[str, str] = {}
            named = f"votes(candidates={candidates})"
        else:
            best = best_of(
                parse(concepts),
                n=n,
                epsilon=epsilon,
                delta=delta,
                alpha=alpha,
                proper=proper,
                agnostic=agnostic,
                labels=labels,
                symmetric=certificate is None,
                tell=tell,
            )
            loss = FAILURE if alpha is not None else EXCESS if agnostic else ERROR
            compared, left_out = regrets(best, seconds=seconds, tell=tell)
            named = str(best.question.concepts)
        tell("checking both certificates")
        verified = best.verify()
        if certificate is not None and isinstance(best, ClassOptimum):
            write_certificate(certificate, optimum_certificate(best))
    said: dict[str, Any] = {
        "class": named,
        "n": n,
        "epsilon": float(best.privacy.epsilon),
        "delta": float(best.privacy.delta),
        "alpha": None if alpha is None else float(check.exact(alpha=alpha)),
        "proper": proper,
        "agnostic": agnostic,
        "labels": labels,
        "loss": loss,
        "lower": float_below(best.lower),
        "upper": float_above(best.upper),
        "verified": verified,
        "learners": [_told(each) for each in compared],
        "left_out": [{"name": name, "why": why} for name, why in left_out.items()],
    }
    if as_json:
        typer.echo(json.dumps(said | _certificates(best)))
    else:
        _show(said)


def _told(regret: Regret) -> dict[str, Any]:
    return {"name": regret.name, "loss": float(regret.loss), "ratio": regret.ratio}


def _certificates(best: ClassOptimum | VotesOptimum) -> dict[str, Any]:
    """Write the bounds, the prior of a class, and the law on one database of each orbit."""
    total = sum(best.prior.weights)
    names = best.program.losses.names
    exact: dict[str, Any] = {
        "lower_exact": str(best.lower),
        "upper_exact": str(best.upper),
        "unknowns": best.program.nodes,
        "constraints": len(best.program.limits.edges),
    }
    if isinstance(best, VotesOptimum):
        states = dict.fromkeys(votes for votes, _ in best.kinds)
        laws = {votes: best.on(votes) for votes in states}
        exact["law"] = [
            {"votes": votes, "candidates": {str(k): str(p) for k, p in law.items()}}
            for votes, law in laws.items()
        ]
        return exact
    databases, labels = best.listing.databases, best.question.labels
    exact["prior"] = [
        {"cells": _cells(name, labels), "weight": str(Fraction(weight, total))}
        for name, weight in zip(names, best.prior.weights, strict=True)
        if weight
    ]
    exact["law"] = [
        {
            "cells": _cells(tuple(database), labels),
            "hypotheses": {
                _rules(h, labels): str(p) for h, p in best.on(tuple(database)).probabilities.items()
            },
        }
        for database in databases.histograms[best.listing.firsts].tolist()
    ]
    return exact


def _cells(masses: tuple[Any, ...], labels: int) -> list[list[Any]]:
    """Write what lies at each point, labelled 0, 1 or 00, 01, 10, 11; shares as fractions."""
    told = [mass if isinstance(mass, int) else str(mass) for mass in masses]
    return [told[i : i + (1 << labels)] for i in range(0, len(told), 1 << labels)]


def _rules(answers: tuple[bool, ...], labels: int) -> str:
    """Write a rule as its answers point by point, that of each label after a stroke."""
    told, each = "".join("01"[answer] for answer in answers), len(answers) // labels
    return "/".join(told[i : i + each] for i in range(0, len(told), each))


def _show(said: dict[str, Any]) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    console.print(f"[bold]{escape(said['class'])}[/], {said['n']} rows: {said['loss']}.")
    console.print(
        f"The best private learner: between [bold]{said['lower']:.9f}[/] and "
        f"[bold]{said['upper']:.9f}[/] "
        f"({'both proved exactly' if said['verified'] else 'NOT verified'})."
    )
    table = Table("learner", "loses", "times the optimum", box=None)
    for each in said["learners"]:
        ratio = "" if each["ratio"] is None else f"{each['ratio']:.2f}"
        table.add_row(escape(each["name"]), f"{each['loss']:.6f}", ratio)
    console.print(table)
    for each in said["left_out"]:
        console.print(f"not compared: {escape(each['name'])}: {escape(each['why'])}")
