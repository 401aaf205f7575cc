"""Statistics to synthetic counts."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.sanitizers.cells.histogram import HistogramSanitizer
    from tacit.sanitizers.choice import Method, Task, choose
    from tacit.sanitizers.contract.attributes import Attributes
    from tacit.sanitizers.contract.queries import ListedQueries, MarginalQueries, Queries
    from tacit.sanitizers.contract.questions import Questions
    from tacit.sanitizers.contract.sanitizer import Sanitizer
    from tacit.sanitizers.contract.synthetic import Synthetic
    from tacit.sanitizers.every_query.blr import BlrSanitizer
    from tacit.sanitizers.every_query.multiplicative_weights import MultiplicativeWeights
    from tacit.sanitizers.line.line_domain import LineDomain
    from tacit.sanitizers.line.point import PointSanitizer
    from tacit.sanitizers.line.quantile import QuantileSanitizer
    from tacit.sanitizers.line.tree import TreeSanitizer
    from tacit.sanitizers.marginals.marginal import MarginalSanitizer

__all__ = [
    "Attributes",
    "BlrSanitizer",
    "HistogramSanitizer",
    "LineDomain",
    "ListedQueries",
    "MarginalQueries",
    "MarginalSanitizer",
    "Method",
    "MultiplicativeWeights",
    "PointSanitizer",
    "QuantileSanitizer",
    "Queries",
    "Questions",
    "Sanitizer",
    "Synthetic",
    "Task",
    "TreeSanitizer",
    "choose",
]

__getattr__ = on_demand(__name__)
