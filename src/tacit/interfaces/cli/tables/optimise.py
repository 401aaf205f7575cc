"""`tacit optimise`: from the rows of a table to a solution that suits them all nearly best."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from tacit.core.numbers.shown import at_most
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import Beta
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.promise import privacy_line
from tacit.workflows.optimising import Optimised
from tacit.workflows.optimising import optimise as solution_of


@given_a_table("neighbours", "rows", "policy", "record")
def optimise(
    given: Given,
    *,
    problem: Annotated[str, typer.Option(help="Which problem: 3-sat or centre-point.")],
    columns: Annotated[
        list[str], typer.Option(help="The columns of a clause's literals, or of a point.")
    ],
    epsilon: Annotated[str, typer.Option(help="The privacy budget.")],
    beta: Beta = "0.05",
) -> None:
    """Choose a private assignment for a table of clauses, or a point amid points.

    In 3-sat each row is a clause of three literals, in three columns of integers: i is a variable,
    -i its negation. In centre-point each row is a point of one to three columns of numbers. Cells
    are read as the schema says, those out of range as the nearest end; a row that is then no clause
    of three different literals is read as 1, 2, 3. What is promised is of the rows as read.

    Examples:

      tacit optimise wishes.csv --problem 3-sat --schema s.toml --columns a,b,c --epsilon 1

      tacit optimise homes.csv --problem centre-point --schema s.toml --columns x,y --epsilon 0.5
    """
    declared = given.declared()
    let_out(
        given,
        solution_of,
        declared,
        _lines,
        problem=problem,
        columns=split(columns, declared.names),
        epsilon=epsilon,
        beta=beta,
        person=given.persons,
    )


def _lines(found: Optimised) -> list[str]:
    """Say the solution, what it cost, and what is promised."""
    if found.problem == "3-sat":
        told = "true: " + (", ".join(str(i) for i in found.solution if i > 0) or "no variable")
        promise = f"at most {found.promised} of the {found.n} clauses are left unsatisfied,"
    else:
        pairs = zip(found.columns, found.solution, strict=True)
        told = ", ".join(f"{name} {value}" for name, value in pairs)
        promise = f"every halfspace that holds it has at least {found.promised} of {found.n} rows,"
    return [
        f"[bold]{found.problem}[/]: {escape(told)}",
        "",
        privacy_line(found.privacy, found.n, secure=found.secure, unit=found.unit),
        f"Promised: {promise} except with probability {at_most(found.beta)}.",
    ]
