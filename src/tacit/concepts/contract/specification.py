"""Class specifications such as `boxes(bits=8, dims=2)`: parsed, never evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from inspect import Signature, signature
from typing import Any

from tacit.concepts.algebra.hashes import Hashes
from tacit.concepts.algebra.line_hashes import LineHashes
from tacit.concepts.algebra.lines import Lines
from tacit.concepts.algebra.lines_or_points import LinesOrPoints
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.concept_class import ConceptClass, HypothesisClass, family_of
from tacit.concepts.contract.domains import PLANNED, WIDEST, within
from tacit.concepts.contract.finite import Finite
from tacit.concepts.grid.balls import Balls
from tacit.concepts.grid.boxes import Boxes
from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.concepts.line.intervals import Intervals
from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.concepts.outputs.majority_set import Majorities
from tacit.concepts.outputs.never import OrNever
from tacit.concepts.outputs.one_of import SEPARATOR, OneOf
from tacit.concepts.outputs.point_sets import Tables
from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.concepts.rules.decision_lists import DecisionLists
from tacit.concepts.rules.rules import Rules
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.errors import InvalidArgument, nearest
from tacit.core.numbers.exact import integer, told

FAMILIES: dict[str, type[ConceptClass[Any]]] = {
    family.family: family
    for family in (
        Balls,
        Boxes,
        Conjunctions,
        Halfspaces,
        Intervals,
        Lines,
        Parities,
        Points,
        Scorecards,
        Thresholds,
    )
}
"""The named families: what a new one is added to."""

LINES = (Points, Thresholds, Intervals)
"""Families that are planned for whatever the number of bits."""

Reader = Callable[[str], ConceptClass[Any]]
"""Reads what stands between the brackets."""

READERS: dict[str, Reader] = {"matrix": Finite.read, "rules": Rules.read}
"""Families that read a file, or the rules' columns as JSON."""

WRAPPERS: dict[str, type[MadeFrom[Any]]] = {
    wrapper.family: wrapper for wrapper in (DecisionLists, Majorities, OrNever, Tables)
}
"""What improper learners make of a class: hypotheses to store, not classes to learn."""

OUTPUTS: dict[str, type[HypothesisClass[Any]]] = {
    output.family: output for output in (Hashes, LineHashes, LinesOrPoints, ReedSolomon)
}
"""Families that are only ever a learner's output."""

_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*")
_ARGUMENT = re.compile(r"\s*(\w+)\s*=\s*([\w-]+)\s*")


def parse(text: str, *, matrix: Reader = Finite.read, planned: bool = False) -> ConceptClass[Any]:
    """Read a class specification; `matrix` gives the class that is named by a file.

    If it is only `planned` for, a line may be longer than what is learned.

    >>> parse("thresholds(bits=32)").size, parse("points(bits=65536)", planned=True).features
    (4294967296, 1)
    """
    name, inside = _call(text)
    if name in READERS:
        return (READERS | {"matrix": matrix})[name](inside.strip())
    if name not in FAMILIES:
        raise unknown(name)
    return bounded(_made(name, FAMILIES[name], inside), planned=planned)


def unknown(name: str) -> InvalidArgument:
    """Say that there is no such family, which was meant perhaps, and which there are."""
    known = sorted({*FAMILIES, *READERS})
    near = nearest(name, known)
    hint = f"{near} There are" if near else "there are"
    return InvalidArgument(f"class {told(name)!r} is not known; {hint} {', '.join(known)}")


def bounded(concepts: ConceptClass[Any], *, planned: bool = False) -> ConceptClass[Any]:
    """Return a class whose points are small enough that what is learned of it can be written."""
    most = PLANNED if planned and isinstance(concepts, LINES) else WIDEST
    bits, said = (concepts.domain_size - 1).bit_length(), f"the bits of {family_of(concepts)}"
    within(bits, said=said, up_to=most)
    return concepts


def as_class(concepts: ConceptClass[Any] | str, *, planned: bool = False) -> ConceptClass[Any]:
    """Return a class, given itself or its specification."""
    return parse(concepts, planned=planned) if isinstance(concepts, str) else concepts


DEEPEST = 8
"""So many wrappers may stand in each other; our learners nest three."""


def parse_output(text: str, *, matrix: Reader = Finite.read, deep: int = 0) -> HypothesisClass[Any]:
    """Read the specification of what a learner puts out: a class, or one made from a class.

    >>> str(parse_output("or_never(points(bits=8))"))
    'or_never(points(bits=8))'
    """
    if deep > DEEPEST:
        raise InvalidArgument(f"a class stands in up to {DEEPEST} others, got more")
    inner = partial(parse_output, matrix=matrix, deep=deep + 1)
    name, inside = _call(text)
    if name in WRAPPERS:
        return WRAPPERS[name](inner(inside))
    if name == "one_of":
        return OneOf(tuple(map(inner, inside.split(SEPARATOR))))
    return _made(name, OUTPUTS[name], inside) if name in OUTPUTS else parse(text, matrix=matrix)


def _call(text: str) -> tuple[str, str]:
    call = _CALL.fullmatch(text)
    if call is None:
        raise InvalidArgument(f"class must look like thresholds(bits=32), got {told(text)!r}")
    return call[1], call[2]


def _made(name: str, family: Callable[..., Any], inside: str) -> Any:
    return family(**_arguments(name, inside, signature(family)))


def _arguments(name: str, inside: str, expected: Signature) -> dict[str, int | str]:
    known = expected.parameters
    read: dict[str, int | str] = {}
    for part in filter(str.strip, inside.split(",")):
        argument = _ARGUMENT.fullmatch(part)
        if argument is None or argument[1] not in known or argument[1] in read:
            raise InvalidArgument(
                f"{name} takes {', '.join(known)} as name=value, got {told(part)!r}"
            )
        value = argument[2]
        read[argument[1]] = integer(value, name=argument[1]) if value.isdecimal() else value
    missing = [p.name for p in known.values() if p.default is p.empty and p.name not in read]
    if missing:
        raise InvalidArgument(f"{name} needs {missing[0]}=..., as in {name}({missing[0]}=8)")
    return read
