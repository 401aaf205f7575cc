"""What can be learned: one family a file, each a finite set of yes/no functions."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.concepts.algebra.lines import Lines
    from tacit.concepts.algebra.parities import Parities
    from tacit.concepts.contract.concept_class import Bracket, Cells, Concept, ConceptClass
    from tacit.concepts.contract.finite import Finite
    from tacit.concepts.contract.specification import parse
    from tacit.concepts.grid.balls import Balls
    from tacit.concepts.grid.boxes import Boxes
    from tacit.concepts.grid.halfspaces import Halfspaces
    from tacit.concepts.line.intervals import Intervals
    from tacit.concepts.line.points import Points
    from tacit.concepts.line.thresholds import Thresholds
    from tacit.concepts.rules.conjunctions import Conjunctions
    from tacit.concepts.rules.rules import Rules

__all__ = [
    "Balls",
    "Boxes",
    "Bracket",
    "Cells",
    "Concept",
    "ConceptClass",
    "Conjunctions",
    "Finite",
    "Halfspaces",
    "Intervals",
    "Lines",
    "Parities",
    "Points",
    "Rules",
    "Thresholds",
    "parse",
]

__getattr__ = on_demand(__name__)
