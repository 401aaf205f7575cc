"""`tacit quantile`: from a column of a table to its median or another quantile."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from tacit.core.numbers.shown import at_most
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.release import Beta, Delta
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.promise import privacy_line
from tacit.workflows.quantiles import Quantile
from tacit.workflows.quantiles import quantile as quantile_of


@given_a_table()
def quantile(
    given: Given,
    *,
    column: Annotated[str, typer.Option(help="A column of numbers.")],
    level: Annotated[str, typer.Option(help="Which quantile: 1/2 is the median.")] = "1/2",
    epsilon: Annotated[str, typer.Option(help="The privacy budget.")],
    delta: Delta = "0",
    method: Annotated[
        str, typer.Option(help="How: exponential, or with a delta interior-point.")
    ] = "exponential",
    beta: Beta = "0.05",
) -> None:
    """Tell a private quantile of a column, such as its median.

    It is off by a promised number of ranks at most, whatever the column holds. The other method,
    interior-point, needs a delta and more rows over columns of 62 bits or less.

    Examples:

      tacit quantile patients.csv --schema s.toml --column age --epsilon 0.1

      tacit quantile patients.csv --schema s.toml --column cost --level 0.9 --epsilon 1 --json
    """
    let_out(
        given,
        quantile_of,
        given.declared(),
        _lines,
        column=column,
        level=level,
        epsilon=epsilon,
        delta=delta,
        method=method,
        beta=beta,
        **given.whom(),
    )


def _lines(found: Quantile) -> list[str]:
    """Say the number, what it cost, and what is promised."""
    private = privacy_line(found.privacy, found.n, secure=found.secure, unit=found.unit)
    return [
        f"[bold]{escape(found.column)}[/]: the quantile at {found.level} is about {found.told}",
        "",
        private,
        f"Promised: no more than {found.rank_error} of the rows would have to change for it to be",
        f"exact, except with probability {at_most(found.beta)}.",
    ]
