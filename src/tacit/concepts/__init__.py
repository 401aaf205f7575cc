"""What can be learned: one family a file, each a finite set of yes/no functions."""

from tacit.concepts.balls import Balls
from tacit.concepts.boxes import Boxes
from tacit.concepts.concept_class import Bracket, Cells, Concept, ConceptClass
from tacit.concepts.conjunctions import Conjunctions
from tacit.concepts.finite import Finite
from tacit.concepts.halfspaces import Halfspaces
from tacit.concepts.intervals import Intervals
from tacit.concepts.lines import Lines
from tacit.concepts.parities import Parities
from tacit.concepts.points import Points
from tacit.concepts.rules import Rules
from tacit.concepts.specification import parse
from tacit.concepts.thresholds import Thresholds

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
