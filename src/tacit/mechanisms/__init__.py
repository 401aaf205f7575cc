"""Statistic to release: a mechanism states its cost, samples its law exactly, and can list it."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.mechanisms.choice.exponential import Exponential as Exponential
    from tacit.mechanisms.choice.hold_out_selection import HoldOutSelection as HoldOutSelection
    from tacit.mechanisms.choice.near_choice import NearChoice as NearChoice
    from tacit.mechanisms.choice.permute_and_flip import PermuteAndFlip as PermuteAndFlip
    from tacit.mechanisms.choice.vote_tally import VoteTally as VoteTally
    from tacit.mechanisms.measuring.group_measurement import GroupMeasurement as GroupMeasurement
    from tacit.mechanisms.measuring.measurement import Measurement as Measurement
    from tacit.mechanisms.mechanism import Kernel as Kernel
    from tacit.mechanisms.mechanism import Mechanism as Mechanism
    from tacit.mechanisms.mechanism import Release as Release
    from tacit.mechanisms.mechanism import release as release
    from tacit.mechanisms.noise.discrete_gaussian import DiscreteGaussian as DiscreteGaussian
    from tacit.mechanisms.noise.discrete_gaussian import (
        DiscreteGaussianVector as DiscreteGaussianVector,
    )
    from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace as DiscreteLaplace
    from tacit.mechanisms.noise.pure_histogram import PureHistogram as PureHistogram
    from tacit.mechanisms.noise.randomised_response import RandomisedResponse as RandomisedResponse
    from tacit.mechanisms.noise.split_laplace import SplitLaplace as SplitLaplace
    from tacit.mechanisms.one_row_each import OneRowEach as OneRowEach
    from tacit.mechanisms.points.centre_point import CentrePoint as CentrePoint
    from tacit.mechanisms.points.heavy_prefixes import HeavyPrefixes as HeavyPrefixes
    from tacit.mechanisms.points.interior_point import InteriorPoint as InteriorPoint
    from tacit.mechanisms.points.private_quantile import PrefixQuantile as PrefixQuantile
    from tacit.mechanisms.points.private_quantile import PrivateQuantile as PrivateQuantile
    from tacit.mechanisms.resample import Resample as Resample
    from tacit.mechanisms.stable.stability_histogram import StabilityHistogram as StabilityHistogram
    from tacit.mechanisms.stable.stability_selection import StabilitySelection as StabilitySelection
    from tacit.mechanisms.stable.stable_release import NoisyStableRelease as NoisyStableRelease
    from tacit.mechanisms.stable.stable_release import StableRelease as StableRelease
    from tacit.mechanisms.stable.subsample_and_aggregate import (
        SubsampleAndAggregate as SubsampleAndAggregate,
    )
    from tacit.mechanisms.told_number import ToldNumber as ToldNumber

__getattr__ = on_demand(__name__)
