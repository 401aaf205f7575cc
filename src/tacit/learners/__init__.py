"""Statistics to hypotheses: private learners, each with its cost and its sample size."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.learners.algebra.block_parity import BlockParityLearner as BlockParityLearner
    from tacit.learners.algebra.line import LineLearner as LineLearner
    from tacit.learners.algebra.parity import ParityLearner as ParityLearner
    from tacit.learners.algebra.published_line import PublishedLineLearner as PublishedLineLearner
    from tacit.learners.algebra.voting_line import VotingLineLearner as VotingLineLearner
    from tacit.learners.boxes.box_ascent import BoxAscentLearner as BoxAscentLearner
    from tacit.learners.boxes.per_side_box import PerSideBoxLearner as PerSideBoxLearner
    from tacit.learners.catalogue import CATALOGUE as CATALOGUE
    from tacit.learners.catalogue import named as named
    from tacit.learners.contract.choice import Choice as Choice
    from tacit.learners.contract.entry import Entry as Entry
    from tacit.learners.contract.entry import Request as Request
    from tacit.learners.contract.learner import Learner as Learner
    from tacit.learners.contract.learner import MultiLearner as MultiLearner
    from tacit.learners.contract.model import Model as Model
    from tacit.learners.every_class.converse import OfLearner as OfLearner
    from tacit.learners.every_class.cover import CoverLearner as CoverLearner
    from tacit.learners.every_class.generic import GenericLearner as GenericLearner
    from tacit.learners.every_class.label_private import LabelPrivateLearner as LabelPrivateLearner
    from tacit.learners.every_class.protocol import ProtocolLearner as ProtocolLearner
    from tacit.learners.every_class.public_cover import PublicCoverLearner as PublicCoverLearner
    from tacit.learners.every_class.representation import (
        RepresentationLearner as RepresentationLearner,
    )
    from tacit.learners.linear.counted import CountedLearner as CountedLearner
    from tacit.learners.linear.joint_counted import JointCounted as JointCounted
    from tacit.learners.linear.joint_margin import JointMargin as JointMargin
    from tacit.learners.linear.margin import MarginLearner as MarginLearner
    from tacit.learners.made_from.added import AddedLearner as AddedLearner
    from tacit.learners.made_from.added import AddedMeasuredLearner as AddedMeasuredLearner
    from tacit.learners.made_from.added import AddedMeasurement as AddedMeasurement
    from tacit.learners.made_from.by_person import ByPerson as ByPerson
    from tacit.learners.made_from.confidence_booster import ConfidenceBooster as ConfidenceBooster
    from tacit.learners.made_from.empirical import EmpiricalLearner as EmpiricalLearner
    from tacit.learners.made_from.measured import GroupedMeasurement as GroupedMeasurement
    from tacit.learners.made_from.measured import MeasuredLearner as MeasuredLearner
    from tacit.learners.made_from.measured import RuleMeasurement as RuleMeasurement
    from tacit.learners.made_from.optimisation import Optimiser as Optimiser
    from tacit.learners.made_from.selected import SelectedLearner as SelectedLearner
    from tacit.learners.made_from.weighted import WeightedLearner as WeightedLearner
    from tacit.learners.made_from.with_public_rows import WithPublicRows as WithPublicRows
    from tacit.learners.many_labels.covers_of_classes import HistogramCover as HistogramCover
    from tacit.learners.many_labels.covers_of_classes import SyntheticCover as SyntheticCover
    from tacit.learners.many_labels.covers_of_points import PrefixCover as PrefixCover
    from tacit.learners.many_labels.covers_of_points import SplitCover as SplitCover
    from tacit.learners.many_labels.covers_of_points import ToldCover as ToldCover
    from tacit.learners.many_labels.direct_sum import DirectSum as DirectSum
    from tacit.learners.many_labels.label_histogram import (
        LabelHistogramLearner as LabelHistogramLearner,
    )
    from tacit.learners.many_labels.sanitized import SanitizedLearner as SanitizedLearner
    from tacit.learners.many_labels.shared_cover import SharedCoverLearner as SharedCoverLearner
    from tacit.learners.points.hashed_point import HashedPointLearner as HashedPointLearner
    from tacit.learners.points.hashed_tally import HashedTallyLearner as HashedTallyLearner
    from tacit.learners.points.histogram import HistogramLearner as HistogramLearner
    from tacit.learners.points.pure_histogram import PureHistogramLearner as PureHistogramLearner
    from tacit.learners.points.stable_point import StablePointLearner as StablePointLearner
    from tacit.learners.points.tally_point import TallyPointLearner as TallyPointLearner
    from tacit.learners.queries.local import LocalLearner as LocalLearner
    from tacit.learners.queries.local_queries import LocalQueries as LocalQueries
    from tacit.learners.queries.local_queries import OwnQueries as OwnQueries
    from tacit.learners.queries.party_queries import PartyQueries as PartyQueries
    from tacit.learners.queries.private_queries import PrivateQueries as PrivateQueries
    from tacit.learners.queries.statistical_queries import ConjunctionQueries as ConjunctionQueries
    from tacit.learners.queries.statistical_queries import PointQueries as PointQueries
    from tacit.learners.queries.statistical_queries import SQAlgorithm as SQAlgorithm
    from tacit.learners.queries.statistical_queries import ThresholdQueries as ThresholdQueries
    from tacit.learners.queries.statistical_query import (
        StatisticalQueryLearner as StatisticalQueryLearner,
    )
    from tacit.learners.rules.parties import PartyCounts as PartyCounts
    from tacit.learners.rules.parties_learner import PartiesLearner as PartiesLearner
    from tacit.learners.rules.parties_learner import PartyTables as PartyTables
    from tacit.learners.rules.short_rules import ShortRuleLearner as ShortRuleLearner
    from tacit.learners.rules.three_satisfiability import ThreeSatisfiability as ThreeSatisfiability
    from tacit.learners.thresholds.prefix_threshold import (
        PrefixThresholdLearner as PrefixThresholdLearner,
    )
    from tacit.learners.thresholds.prior import PriorLearner as PriorLearner
    from tacit.learners.thresholds.tree_threshold import (
        TreeThresholdLearner as TreeThresholdLearner,
    )

__getattr__ = on_demand(__name__)
