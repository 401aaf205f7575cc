"""What can be learned: one family a file, each a finite set of yes/no functions."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.concepts.algebra.lines import Lines as Lines
    from tacit.concepts.algebra.parities import Parities as Parities
    from tacit.concepts.contract.concept_class import Bracket as Bracket
    from tacit.concepts.contract.concept_class import Cells as Cells
    from tacit.concepts.contract.concept_class import Concept as Concept
    from tacit.concepts.contract.concept_class import ConceptClass as ConceptClass
    from tacit.concepts.contract.finite import Finite as Finite
    from tacit.concepts.contract.specification import parse as parse
    from tacit.concepts.grid.balls import Balls as Balls
    from tacit.concepts.grid.boxes import Boxes as Boxes
    from tacit.concepts.grid.halfspaces import Halfspaces as Halfspaces
    from tacit.concepts.line.intervals import Intervals as Intervals
    from tacit.concepts.line.points import Points as Points
    from tacit.concepts.line.thresholds import Thresholds as Thresholds
    from tacit.concepts.rules.conjunctions import Conjunctions as Conjunctions
    from tacit.concepts.rules.rules import Rules as Rules

__getattr__ = on_demand(__name__)
