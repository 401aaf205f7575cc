"""Statistics to synthetic counts."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.sanitizers.cells.histogram import HistogramSanitizer as HistogramSanitizer
    from tacit.sanitizers.choice import Method as Method
    from tacit.sanitizers.choice import Task as Task
    from tacit.sanitizers.choice import choose as choose
    from tacit.sanitizers.contract.attributes import Attributes as Attributes
    from tacit.sanitizers.contract.queries import ListedQueries as ListedQueries
    from tacit.sanitizers.contract.queries import MarginalQueries as MarginalQueries
    from tacit.sanitizers.contract.queries import Queries as Queries
    from tacit.sanitizers.contract.questions import Questions as Questions
    from tacit.sanitizers.contract.synthetic import Sanitizer as Sanitizer
    from tacit.sanitizers.contract.synthetic import Synthetic as Synthetic
    from tacit.sanitizers.contract.synthetic import SyntheticRows as SyntheticRows
    from tacit.sanitizers.every_query.blr import BlrSanitizer as BlrSanitizer
    from tacit.sanitizers.every_query.multiplicative_weights import (
        MultiplicativeWeights as MultiplicativeWeights,
    )
    from tacit.sanitizers.line.line_domain import LineDomain as LineDomain
    from tacit.sanitizers.line.point import PointSanitizer as PointSanitizer
    from tacit.sanitizers.line.prefix import PrefixSanitizer as PrefixSanitizer
    from tacit.sanitizers.line.quantile import QuantileSanitizer as QuantileSanitizer
    from tacit.sanitizers.line.tree import TreeSanitizer as TreeSanitizer
    from tacit.sanitizers.marginals.marginal import MarginalSanitizer as MarginalSanitizer
    from tacit.sanitizers.marginals.pairs import PairSanitizer as PairSanitizer

__getattr__ = on_demand(__name__)
