"""Exact integer summaries of the records, each with its sensitivity under replace-one."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.statistics.counts.counts import Counts as Counts
    from tacit.statistics.counts.joint_counts import JointCounts as JointCounts
    from tacit.statistics.counts.label_counts import LabelCounts as LabelCounts
    from tacit.statistics.counts.line_counts import LineCounts as LineCounts
    from tacit.statistics.prefix_tree import PrefixTree as PrefixTree
    from tacit.statistics.score_profile import ScoreProfile as ScoreProfile
    from tacit.statistics.votes import Stable as Stable
    from tacit.statistics.votes import Votes as Votes

__getattr__ = on_demand(__name__)
