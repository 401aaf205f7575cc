"""Statistic to release: a mechanism states its cost, samples its law exactly, and can list it."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.mechanisms.by_law import Kernel
    from tacit.mechanisms.choice.exponential import Exponential
    from tacit.mechanisms.choice.hold_out_selection import HoldOutSelection
    from tacit.mechanisms.choice.permute_and_flip import PermuteAndFlip
    from tacit.mechanisms.choice.repeated_selection import RepeatedSelection
    from tacit.mechanisms.choice.threshold_selection import ThresholdSelection
    from tacit.mechanisms.mechanism import Mechanism, Release, release
    from tacit.mechanisms.noise.discrete_gaussian import DiscreteGaussian
    from tacit.mechanisms.noise.discrete_gaussian_vector import DiscreteGaussianVector
    from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
    from tacit.mechanisms.noise.pure_histogram import PureHistogram
    from tacit.mechanisms.noise.randomised_response import RandomisedResponse
    from tacit.mechanisms.points.centre_point import CentrePoint
    from tacit.mechanisms.points.interior_point import InteriorPoint
    from tacit.mechanisms.points.prefix_quantile import PrefixQuantile
    from tacit.mechanisms.points.private_quantile import PrivateQuantile
    from tacit.mechanisms.resample import Resample
    from tacit.mechanisms.search.above_threshold import AboveThreshold
    from tacit.mechanisms.search.rec_concave import RecConcave
    from tacit.mechanisms.stable.noisy_stable_release import NoisyStableRelease
    from tacit.mechanisms.stable.propose_test_release import ProposeTestRelease
    from tacit.mechanisms.stable.stability_histogram import StabilityHistogram
    from tacit.mechanisms.stable.stability_selection import StabilitySelection
    from tacit.mechanisms.stable.stable_release import StableRelease
    from tacit.mechanisms.stable.subsample_and_aggregate import SubsampleAndAggregate

__all__ = [
    "AboveThreshold",
    "CentrePoint",
    "DiscreteGaussian",
    "DiscreteGaussianVector",
    "DiscreteLaplace",
    "Exponential",
    "HoldOutSelection",
    "InteriorPoint",
    "Kernel",
    "Mechanism",
    "NoisyStableRelease",
    "PermuteAndFlip",
    "PrefixQuantile",
    "PrivateQuantile",
    "ProposeTestRelease",
    "PureHistogram",
    "RandomisedResponse",
    "RecConcave",
    "Release",
    "RepeatedSelection",
    "Resample",
    "StabilityHistogram",
    "StabilitySelection",
    "StableRelease",
    "SubsampleAndAggregate",
    "ThresholdSelection",
    "release",
]

__getattr__ = on_demand(__name__)
