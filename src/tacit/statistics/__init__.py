"""Exact integer summaries of the records, each with its sensitivity under replace-one."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.statistics.counts.counts import Counts
    from tacit.statistics.counts.joint_counts import JointCounts
    from tacit.statistics.counts.label_counts import LabelCounts
    from tacit.statistics.counts.line_counts import LineCounts
    from tacit.statistics.distance_to_change import Stable
    from tacit.statistics.prefix_tree import PrefixTree
    from tacit.statistics.quasi_concave import QuasiConcave
    from tacit.statistics.query_stream import QueryStream
    from tacit.statistics.score_profile import ScoreProfile
    from tacit.statistics.slow_integer import Steady
    from tacit.statistics.votes import Votes

__all__ = [
    "Counts",
    "JointCounts",
    "LabelCounts",
    "LineCounts",
    "PrefixTree",
    "QuasiConcave",
    "QueryStream",
    "ScoreProfile",
    "Stable",
    "Steady",
    "Votes",
]

__getattr__ = on_demand(__name__)
