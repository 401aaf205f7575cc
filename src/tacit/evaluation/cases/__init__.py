"""One file a mechanism: the cases that the verifier runs over all neighbouring databases."""

from tacit.evaluation.cases import (
    above_threshold,
    discrete_gaussian,
    discrete_laplace,
    exponential,
    generic_learner,
    hold_out_selection,
    permute_and_flip,
    propose_test_release,
    randomised_response,
    repeated_selection,
    resample,
    stability_histogram,
    stable_release,
    subsample_and_aggregate,
    threshold_selection,
)

CASES = (
    *above_threshold.CASES,
    *discrete_gaussian.CASES,
    *discrete_laplace.CASES,
    *exponential.CASES,
    *generic_learner.CASES,
    *hold_out_selection.CASES,
    *permute_and_flip.CASES,
    *propose_test_release.CASES,
    *randomised_response.CASES,
    *repeated_selection.CASES,
    *resample.CASES,
    *stability_histogram.CASES,
    *stable_release.CASES,
    *subsample_and_aggregate.CASES,
    *threshold_selection.CASES,
)

__all__ = ["CASES"]
