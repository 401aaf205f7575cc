"""Statistics to synthetic counts."""

from tacit.sanitizers.attributes import Attributes
from tacit.sanitizers.blr import BlrSanitizer
from tacit.sanitizers.choice import Chosen, Task, choose
from tacit.sanitizers.histogram import HistogramSanitizer
from tacit.sanitizers.line import Line
from tacit.sanitizers.marginal import MarginalSanitizer
from tacit.sanitizers.multiplicative_weights import MultiplicativeWeights
from tacit.sanitizers.point import PointSanitizer
from tacit.sanitizers.quantile import QuantileSanitizer
from tacit.sanitizers.queries import ListedQueries, MarginalQueries, Queries
from tacit.sanitizers.questions import Questions
from tacit.sanitizers.sanitizer import Sanitizer
from tacit.sanitizers.synthetic import Synthetic
from tacit.sanitizers.tree import TreeSanitizer

__all__ = [
    "Attributes",
    "BlrSanitizer",
    "Chosen",
    "HistogramSanitizer",
    "Line",
    "ListedQueries",
    "MarginalQueries",
    "MarginalSanitizer",
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
