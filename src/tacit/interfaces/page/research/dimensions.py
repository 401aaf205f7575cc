"""The Dimensions page: a drawn class or a family, its dimensions, and what shows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tacit.concepts.contract.concept_class import Bracket, ConceptClass
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.interfaces.page.families import SEARCHED, specification
from tacit.interfaces.page.serving.fields import Fields
from tacit.theory.dimensions.all_dimensions import Dimensions, dimensions
from tacit.theory.solving.class_table import counted
from tacit.theory.solving.logarithms import float_above, float_below

Tell = Callable[[str], None]
SECONDS = 12.0
LARGEST = 64
"""Rows and columns of a matrix that is pasted."""

DRAWN_DEPTH, DRAWN = 5, 20
"""Of a deeper tree the top is drawn; a class with more concepts or points is not drawn."""


def found(asked: Fields, tell: Tell) -> dict[str, Any]:
    """Compute the dimensions of what was drawn, pasted or chosen."""
    concepts = _matrix(asked) if "rows" in asked.given else _family(asked)
    tell("loading")
    _load()
    known = dimensions(concepts, time_limit=SECONDS, tell=tell)
    size = counted(concepts)
    return {
        "class": str(concepts) if "rows" not in asked.given else "your matrix",
        "concepts": None if size is None else str(size),
        "domain": str(concepts.domain_size),
        "vc": _dimension(known.vc),
        "shattered": None if known.shattered is None else [_point(x) for x in known.shattered],
        "littlestone": _dimension(known.littlestone),
        "tree": _tree(known),
        "why_no_tree": known.without.get("littlestone"),
        "why_no_set": known.without.get("vc"),
        "matrix": _drawn(concepts, known),
        "curve": [[e.messages, float(e.lower), float(e.upper)] for e in known.curve],
        "communication": [
            [str(b.error), float_below(b.lower), float_above(b.upper)] for b in known.communication
        ],
    }


@cache
def _load() -> None:
    """Load the kernels once, so that the search has all of its time."""
    dimensions(Finite([[0, 0], [0, 1], [1, 1]]))


def _matrix(asked: Fields) -> ConceptClass[Any]:
    rows = asked.texts("rows", most=LARGEST, longest=LARGEST)
    if not rows or any(set(row) - {"0", "1"} or not row for row in rows):
        raise InvalidArgument("a matrix has lines of 0s and 1s, one line a concept")
    return Finite([[int(entry) for entry in row] for row in rows])


def _family(asked: Fields) -> ConceptClass[Any]:
    return parse(specification(asked, SEARCHED))


def _dimension(known: Bracket) -> dict[str, Any]:
    return {"lower": known.lower, "upper": known.upper, "exact": known.exact, "why": known.why}


def _point(x: Any) -> str:
    return f"({', '.join(map(str, x))})" if isinstance(x, list | tuple) else str(x)


def _tree(known: Dimensions) -> dict[str, Any] | None:
    tree = known.tree
    if tree is None:
        return None
    depth = len(tree.concepts).bit_length() - 1
    shown = min(depth, DRAWN_DEPTH)
    names = (
        [f"x{i}" for i in range(known.concepts.features)] if known.concepts.features > 1 else ["x"]
    )
    leaves = [concept.rule(names) for concept in tree.concepts] if depth <= shown else []
    return {
        "depth": depth,
        "shown": shown,
        "points": [_point(x) for x in tree.points[: (1 << shown) - 1]],
        "leaves": leaves,
    }


def _drawn(concepts: ConceptClass[Any], known: Dimensions) -> dict[str, Any] | None:
    """Return the class as a matrix, if it is small, with the columns that are shattered."""
    size = counted(concepts)
    if size is None or size > DRAWN or concepts.domain_size > DRAWN:
        return None
    domain = concepts.domain()
    points = [_point(x) for x in domain.tolist()]
    shattered = {_point(x) for x in known.shattered or ()}
    return {
        "points": points,
        "rows": [["01"[bool(b)] for b in concept(domain)] for concept in concepts.concepts()],
        "shattered": [place for place, x in enumerate(points) if x in shattered],
    }
