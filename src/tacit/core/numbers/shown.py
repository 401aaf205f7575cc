"""What is shown: numbers, never less than what is promised or spent, and facts in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from html import escape


def at_most(value: Fraction | int, digits: int = 3) -> str:
    """Write a number that may be exceeded by what stands there, but not the other way round.

    >>> at_most(Fraction(69526, 10**6)), at_most(Fraction(1)), at_most(Fraction(1, 10**6))
    ('0.0696', '1', '1e-06')
    """
    exact = Fraction(value)
    context = Context(prec=digits, rounding=ROUND_CEILING)
    rounded = context.divide(exact.numerator, exact.denominator)
    return f"{float(rounded):.{digits}g}"


def outwards(low: float, high: float, digits: int, times: int = 1) -> tuple[str, str]:
    """Write the ends of an interval, so many times as large, neither nearer than it is.

    >>> outwards(0.12797, 0.174, 1, times=100)
    ('12.7', '17.4')
    """
    step, wide = Decimal(1).scaleb(-digits), Context(prec=99)
    ends = ((low, ROUND_FLOOR), (high, ROUND_CEILING))
    first, last = (str((Decimal(repr(end)) * times).quantize(step, way, wide)) for end, way in ends)
    return first, last


def sheet(
    title: str,
    facts: Mapping[str, object],
    head: Sequence[str] = (),
    rows: Iterable[Sequence[object]] = (),
) -> str:
    """Return facts and a table as HTML that a notebook shows; whatever is in them is text.

    >>> sheet("A < B", {"rows": 9})
    '<div><b>A &lt; B</b><table><tr><th>rows</th><td>9</td></tr></table></div>'
    """
    told = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
        for name, value in facts.items()
    )
    lines = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    titles = "".join(f"<th>{escape(each)}</th>" for each in head)
    below = f"<table><tr>{titles}</tr>{lines}</table>" if head else ""
    return f"<div><b>{escape(title)}</b><table>{told}</table>{below}</div>"
