"""Statistic to release: a mechanism states its cost, samples its law exactly, and can list it."""

from tacit.mechanisms.above_threshold import AboveThreshold
from tacit.mechanisms.centre_point import CentrePoint
from tacit.mechanisms.discrete_gaussian import DiscreteGaussian
from tacit.mechanisms.discrete_gaussian_vector import DiscreteGaussianVector
from tacit.mechanisms.discrete_laplace import DiscreteLaplace
from tacit.mechanisms.exponential import Exponential
from tacit.mechanisms.hold_out_selection import HoldOutSelection
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.kernel import Kernel
from tacit.mechanisms.mechanism import Mechanism, Release, release
from tacit.mechanisms.noisy_stable_release import NoisyStableRelease
from tacit.mechanisms.permute_and_flip import PermuteAndFlip
from tacit.mechanisms.prefix_quantile import PrefixQuantile
from tacit.mechanisms.private_quantile import PrivateQuantile
from tacit.mechanisms.propose_test_release import ProposeTestRelease
from tacit.mechanisms.pure_histogram import PureHistogram
from tacit.mechanisms.randomised_response import RandomisedResponse
from tacit.mechanisms.rec_concave import RecConcave
from tacit.mechanisms.repeated_selection import RepeatedSelection
from tacit.mechanisms.resample import Resample
from tacit.mechanisms.stability_histogram import StabilityHistogram
from tacit.mechanisms.stability_selection import StabilitySelection
from tacit.mechanisms.stable_release import StableRelease
from tacit.mechanisms.subsample_and_aggregate import SubsampleAndAggregate
from tacit.mechanisms.threshold_selection import ThresholdSelection

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
