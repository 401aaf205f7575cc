"""Statistics to hypotheses: private learners, each with its cost and its sample size."""

from tacit.learners.block_parity import BlockParityLearner
from tacit.learners.box_ascent import BoxAscentLearner
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.centre_point_halfspace import CentrePointHalfspaceLearner
from tacit.learners.choice import Choice
from tacit.learners.confidence_booster import ConfidenceBooster
from tacit.learners.converse import OfLearner
from tacit.learners.cover import CoverLearner
from tacit.learners.covers_of_points import SplitCover, ToldCover
from tacit.learners.decision_list import DecisionListLearner
from tacit.learners.direct_sum import DirectSum
from tacit.learners.empirical import EmpiricalLearner
from tacit.learners.generic import GenericLearner
from tacit.learners.hashed_point import HashedPointLearner
from tacit.learners.histogram import HistogramLearner
from tacit.learners.label_private import LabelPrivateLearner
from tacit.learners.learner import Learner
from tacit.learners.line import LineLearner
from tacit.learners.listing import Listing, Request
from tacit.learners.local import LocalLearner
from tacit.learners.local_to_queries import SimulatedReport
from tacit.learners.margin import MarginLearner
from tacit.learners.model import Model
from tacit.learners.multi_learner import MultiLearner
from tacit.learners.optimisation import Optimiser
from tacit.learners.parity import ParityLearner
from tacit.learners.parties import Joint, PartyCounts, combine, party_message
from tacit.learners.parties_learner import PartiesLearner, PartyTables
from tacit.learners.per_side_box import PerSideBoxLearner
from tacit.learners.prefix_threshold import PrefixThresholdLearner
from tacit.learners.prior import PriorLearner
from tacit.learners.private_queries import PrivateQueries
from tacit.learners.protocol import ProtocolLearner
from tacit.learners.rec_concave_threshold import RecConcaveThresholdLearner
from tacit.learners.representation import RepresentationLearner
from tacit.learners.sanitized import SanitizedLearner
from tacit.learners.selected import SelectedLearner
from tacit.learners.shared_cover import SharedCoverLearner
from tacit.learners.simulated_local import SimulatedLocalLearner
from tacit.learners.stable_erm import StableErmLearner
from tacit.learners.stable_point import StablePointLearner
from tacit.learners.statistical_queries import (
    ConjunctionQueries,
    PointQueries,
    SQAlgorithm,
    ThresholdQueries,
)
from tacit.learners.statistical_query import StatisticalQueryLearner
from tacit.learners.three_satisfiability import ThreeSatisfiability
from tacit.learners.voting_line import VotingLineLearner

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
    "GenericLearner",
    "HashedPointLearner",
    "HistogramLearner",
    "Joint",
    "LabelPrivateLearner",
    "Learner",
    "LineLearner",
    "Listing",
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
