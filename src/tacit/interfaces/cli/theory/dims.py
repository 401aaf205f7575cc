"""`tacit dims`: the dimensions of a class, each with a witness that can be checked."""

from __future__ import annotations

import json
from math import ceil, floor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.concepts.contract.concept_class import Bracket, ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.options.certificate import CertificatePath, write_certificate
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import left, patiently
from tacit.interfaces.pictures.classes import draw_dimensions
from tacit.interfaces.pictures.picture import drawable
from tacit.theory.communication.bits import LeastError, MessageBits
from tacit.theory.dimensions.all_dimensions import ERRORS, Dimensions, Using, dimensions
from tacit.theory.dimensions.further_dimensions import COVERS, RADIUS, Shown
from tacit.theory.representations.sizes import Size
from tacit.theory.solving.class_table import counted
from tacit.theory.solving.logarithms import float_above, float_below
from tacit.workflows.releasing.certificates import dimensions_certificate

TITLES = {
    "dual_vc": "Dual VC dimension",
    "threshold": "Threshold dimension",
    "teaching": "Teaching dimension",
    "cover": f"Cover within {RADIUS} of even weights:",
    "packing": f"Packing beyond {RADIUS} of even weights:",
    "function_cover": f"Cover within {RADIUS}, by any functions:",
    "proper_queries": "Counter-examples to concepts, until one is right:",
}

LONG, DIGITS = 10**4, 10**6

MISSING = {
    "vc": "shattered set is",
    "littlestone": "tree is",
    "least_errors": "least errors of protocols are",
}


def dims(
    concepts: Annotated[
        str, typer.Argument(metavar="CLASS", help="A class, such as thresholds(bits=8).")
    ],
    *,
    alpha: Annotated[
        str, typer.Option(help="How near representations come: 1/4 in the papers.")
    ] = "1/4",
    beta: Annotated[str, typer.Option(help="How often drawn ones may fail.")] = "1/4",
    error: Annotated[
        list[str] | None,
        typer.Option(metavar="E,...", help="Errors of protocols, instead of those shown."),
    ] = None,
    proper: Annotated[
        bool, typer.Option("--proper", help="Represent the class by its own concepts, too.")
    ] = False,
    using: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="Represent it by these hypotheses, too: a class, or a file of 0s and 1s.",
        ),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(help="Seconds, from the start, after which what is certain is told.")
    ] = 60.0,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the mistake tree and the errors: .png, .svg, .pdf"),
    ] = None,
    certificate: CertificatePath = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Compute the dimensions of a class, its representations and its protocols.

    Small classes are searched, and every value comes with what shows it; of large ones you hear
    what is proved of their family. A class of your own is a file of 0s and 1s, a line a concept.

    Examples:

      tacit dims 'thresholds(bits=3)'

      tacit dims 'matrix(mine.csv)' --time-limit 10 --json

      tacit dims 'halfspaces(bits=2, dims=2)' --plot tree.svg

      tacit dims 'points(values=5)' --proper --alpha 1/3 --beta 1/10 --error 0.05,0.2
    """
    if proper and using is not None:
        raise InvalidArgument("--proper and --using name different hypotheses; give one of them")
    asked, seconds = parse(concepts), float(check.positive(time_limit=time_limit))
    if plot is not None:
        writable(drawable(plot), option="--plot")
    if certificate is not None:
        writable(certificate, option="--certificate")
    with patiently() as tell:
        found = dimensions(
            asked,
            alpha=alpha,
            beta=beta,
            errors=split(error or ()) or ERRORS,
            among=asked if proper else _hypotheses(using),
            time_limit=left(seconds),
            tell=tell,
        )
        if plot is not None:
            tell("drawing")
            draw_dimensions(found, plot)
    if certificate is not None:
        write_certificate(certificate, dimensions_certificate(found))
    if as_json:
        typer.echo(json.dumps(_encoded(found)))
    else:
        _show(found)


def _hypotheses(using: str | None) -> ConceptClass[Any] | None:
    """Read a class, or a file, which is a matrix."""
    if using is None:
        return None
    return parse(using if "(" in using else f"matrix({using})")


def _encoded(found: Dimensions) -> dict[str, Any]:
    tree = found.tree
    further = {each.name: _shown(found, each) for each in found.further}
    proper = further.pop("proper_queries")
    return {
        "class": str(found.concepts),
        "domain_size": found.concepts.domain_size,
        "concepts": counted(found.concepts),
        "vc": _dimension(found, "vc", found.vc, {"witness": found.shattered}),
        "littlestone": _dimension(
            found,
            "littlestone",
            found.littlestone,
            {
                "tree": None
                if tree is None
                else {
                    "points": list(tree.points),
                    "concepts": [found.concepts.encode(c) for c in tree.concepts],
                }
            },
        ),
        "deterministic_representation": {"alpha": float(found.alpha), **_size(found.deterministic)},
        "probabilistic_representation": {
            "alpha": float(found.alpha),
            "beta": float(found.beta),
            **_size(found.probabilistic),
        },
        **({} if found.using is None else {"using": _using(found.using)}),
        "communication": [_bits(bits) for bits in found.communication],
        "least_errors": [
            {"messages": e.messages, "lower": str(e.lower), "upper": str(e.upper)}
            for e in found.curve
        ],
        "least_errors_why": found.without.get("least_errors", "a game, solved from both sides"),
        **further,
        "equivalence_queries": {
            "any": _dimension(found, "any", found.littlestone, {}),
            "proper": proper,
        },
    }


def _shown(found: Dimensions, each: Shown) -> dict[str, Any]:
    names = None if each.concepts is None else [found.concepts.encode(c) for c in each.concepts]
    radius = {"radius": float(RADIUS)} if each.name in COVERS else {}
    witness = {"concepts": names, "points": each.points}
    if each.name == "function_cover":
        witness = {"functions": each.functions}
    told = _dimension(found, each.name, each.known, witness)
    return told | radius


def _dimension(
    found: Dimensions, name: str, known: Bracket, witness: dict[str, Any]
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "value": known.lower if known.exact else None,
        **witness,
        "lower": known.lower,
        "upper": known.upper,
        "why": known.why,
    }
    if name in found.without:
        said["why"] = found.without[name]
    return said


def _size(size: Size) -> dict[str, Any]:
    return {
        "lower": float_below(size.lower),
        "upper": float_above(size.upper),
        "why": f"lower: {size.why_lower}; upper: {size.why_upper}",
    }


def _using(using: Using) -> dict[str, Any]:
    sizes = {"deterministic": using.deterministic, "probabilistic": using.probabilistic}
    return {
        "class": str(using.hypotheses),
        **{
            name: {"lower": None, "upper": None, "why": using.why} if size is None else _size(size)
            for name, size in sizes.items()
        },
    }


def _bits(bits: MessageBits) -> dict[str, Any]:
    return {
        "error": float(bits.error),
        "bits_lower": float_below(bits.lower),
        "bits_upper": float_above(bits.upper),
        "why": f"lower: {bits.why_lower}; upper: {bits.why_upper}",
    }


def _show(found: Dimensions) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    size, domain = counted(found.concepts), _count(found.concepts.domain_size)
    many = "uncounted" if size is None else _count(size)
    console.print(f"[bold]{escape(str(found.concepts))}[/]: {many} concepts over {domain} points.")
    for name, known in (("VC", found.vc), ("Littlestone", found.littlestone)):
        console.print(f"{name} dimension [bold]{_range(known)}[/] ({known.why}).")
    if found.shattered is not None:
        console.print(f"  shattered: {', '.join(map(str, found.shattered)) or 'nothing'}")
    for name, why in found.without.items():
        console.print(f"  no {MISSING[name]} shown: {why}")
    for shown in found.further:
        console.print(f"{TITLES[shown.name]} [bold]{_range(shown.known)}[/] ({shown.known.why}).")
    table = Table("", "at least", "at most", box=None)
    using = found.using
    for kind, hypotheses in (
        (f"hypotheses that {found.alpha}-represent it, ln", found.deterministic),
        (f"... by a random list, failing with {found.beta}, ln", found.probabilistic),
        ("... of the hypotheses given, ln", None if using is None else using.deterministic),
        ("... of these, drawn, ln", None if using is None else using.probabilistic),
    ):
        if hypotheses is not None:
            table.add_row(kind, *_ends(hypotheses))
    for bits in found.communication:
        table.add_row(f"bits that Alice sends, error {bits.error}", *_ends(bits))
    console.print(table)
    if found.curve:
        errors = ", ".join(f"{each.messages}: {_error(each)}" for each in found.curve)
        console.print(f"Least error by the number of messages: {errors}.")
    if using is not None and using.why:
        console.print(f"By the hypotheses given: {using.why}.")
    told: tuple[Size | MessageBits, ...] = (
        found.deterministic,
        found.probabilistic,
        *found.communication,
    )
    console.print(f"At least, by {'; '.join(sorted({each.why_lower for each in told}))}.")
    console.print(f"At most, by {'; '.join(sorted({each.why_upper for each in told}))}.")


def _error(least: LeastError) -> str:
    """Write an error as a fraction if it is known and short, else in digits.

    >>> from fractions import Fraction
    >>> third = Fraction(1, 3)
    >>> _error(LeastError(2, third, third)), _error(LeastError(2, third, third + third / 99))
    ('1/3', '0.333333 to 0.336701')
    """
    if least.lower == least.upper:
        return str(least.lower) if least.lower.denominator < LONG else f"{float(least.lower):.6f}"
    below, above = floor(least.lower * DIGITS), ceil(least.upper * DIGITS)
    return f"{below / DIGITS:.6f} to {above / DIGITS:.6f}"


def _ends(size: Size | MessageBits) -> tuple[str, str]:
    return f"{float_below(size.lower):.3f}", f"{float_above(size.upper):.3f}"


def _range(known: Bracket) -> str:
    return str(known.lower) if known.exact else f"{known.lower} to {known.upper}"


def _count(number: int) -> str:
    """Write a number, a long one as a power of two if it is near one.

    >>> _count(1000), _count(1 << 64), _count((1 << 64) + 1)
    ('1000', '2^64', 'over 2^64')
    """
    power = number.bit_length() - 1
    if power < 40:
        return str(number)
    return f"2^{power}" if number == 1 << power else f"over 2^{power}"
