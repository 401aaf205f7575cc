"""Statistics to hypotheses: private learners, each with its cost and its sample size."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.learners.algebra.block_parity import BlockParityLearner
    from tacit.learners.algebra.line import LineLearner
    from tacit.learners.algebra.parity import ParityLearner
    from tacit.learners.algebra.voting_line import VotingLineLearner
    from tacit.learners.boxes.box_ascent import BoxAscentLearner
    from tacit.learners.boxes.per_side_box import PerSideBoxLearner
    from tacit.learners.catalogue import CATALOGUE, named
    from tacit.learners.contract.choice import Choice
    from tacit.learners.contract.entry import Entry, Request
    from tacit.learners.contract.learner import Learner
    from tacit.learners.contract.model import Model
    from tacit.learners.contract.multi_learner import MultiLearner
    from tacit.learners.every_class.converse import OfLearner
    from tacit.learners.every_class.cover import CoverLearner
    from tacit.learners.every_class.generic import GenericLearner
    from tacit.learners.every_class.label_private import LabelPrivateLearner
    from tacit.learners.every_class.protocol import ProtocolLearner
    from tacit.learners.every_class.representation import RepresentationLearner
    from tacit.learners.every_class.stable_erm import StableErmLearner
    from tacit.learners.linear.centre_point_halfspace import CentrePointHalfspaceLearner
    from tacit.learners.linear.margin import MarginLearner
    from tacit.learners.made_from.confidence_booster import ConfidenceBooster
    from tacit.learners.made_from.empirical import EmpiricalLearner
    from tacit.learners.made_from.optimisation import Optimiser
    from tacit.learners.made_from.selected import SelectedLearner
    from tacit.learners.many_labels.covers_of_points import SplitCover, ToldCover
    from tacit.learners.many_labels.direct_sum import DirectSum
    from tacit.learners.many_labels.sanitized import SanitizedLearner
    from tacit.learners.many_labels.shared_cover import SharedCoverLearner
    from tacit.learners.points.hashed_point import HashedPointLearner
    from tacit.learners.points.histogram import HistogramLearner
    from tacit.learners.points.pure_histogram import PureHistogramLearner
    from tacit.learners.points.stable_point import StablePointLearner
    from tacit.learners.queries.local import LocalLearner
    from tacit.learners.queries.local_to_queries import SimulatedReport
    from tacit.learners.queries.private_queries import PrivateQueries
    from tacit.learners.queries.simulated_local import SimulatedLocalLearner
    from tacit.learners.queries.statistical_queries import (
        ConjunctionQueries,
        PointQueries,
        SQAlgorithm,
        ThresholdQueries,
    )
    from tacit.learners.queries.statistical_query import StatisticalQueryLearner
    from tacit.learners.rules.decision_list import DecisionListLearner
    from tacit.learners.rules.parties import Joint, PartyCounts, combine, party_message
    from tacit.learners.rules.parties_learner import PartiesLearner, PartyTables
    from tacit.learners.rules.three_satisfiability import ThreeSatisfiability
    from tacit.learners.thresholds.prefix_threshold import PrefixThresholdLearner
    from tacit.learners.thresholds.prior import PriorLearner
    from tacit.learners.thresholds.rec_concave_threshold import RecConcaveThresholdLearner

__all__ = [
    "CATALOGUE",
    "BlockParityLearner",
    "BoxAscentLearner",
    "CentrePointHalfspaceLearner",
    "Choice",
    "ConfidenceBooster",
    "ConjunctionQueries",
    "CoverLearner",
    "DecisionListLearner",
    "DirectSum",
    "EmpiricalLearner",
    "Entry",
    "GenericLearner",
    "HashedPointLearner",
    "HistogramLearner",
    "Joint",
    "LabelPrivateLearner",
    "Learner",
    "LineLearner",
    "LocalLearner",
    "MarginLearner",
    "Model",
    "MultiLearner",
    "OfLearner",
    "Optimiser",
    "ParityLearner",
    "PartiesLearner",
    "PartyCounts",
    "PartyTables",
    "PerSideBoxLearner",
    "PointQueries",
    "PrefixThresholdLearner",
    "PriorLearner",
    "PrivateQueries",
    "ProtocolLearner",
    "PureHistogramLearner",
    "RecConcaveThresholdLearner",
    "RepresentationLearner",
    "Request",
    "SQAlgorithm",
    "SanitizedLearner",
    "SelectedLearner",
    "SharedCoverLearner",
    "SimulatedLocalLearner",
    "SimulatedReport",
    "SplitCover",
    "StableErmLearner",
    "StablePointLearner",
    "StatisticalQueryLearner",
    "ThreeSatisfiability",
    "ThresholdQueries",
    "ToldCover",
    "VotingLineLearner",
    "combine",
    "named",
    "party_message",
]

__getattr__ = on_demand(__name__)
