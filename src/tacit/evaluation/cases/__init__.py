"""One file a mechanism: the cases that the verifier runs over all neighbouring databases."""

from tacit.evaluation.cases import (
    above_threshold,
    discrete_gaussian,
    discrete_laplace,
    exponential,
    generic_learner,
    hold_out_selection,
    label_private_learner,
    permute_and_flip,
    propose_test_release,
    pure_histogram,
    randomised_response,
    repeated_selection,
    resample,
    stability_histogram,
    stability_selection,
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
    *label_private_learner.CASES,
    *permute_and_flip.CASES,
    *propose_test_release.CASES,
    *pure_histogram.CASES,
    *randomised_response.CASES,
    *repeated_selection.CASES,
    *resample.CASES,
    *stability_histogram.CASES,
    *stability_selection.CASES,
    *stable_release.CASES,
    *subsample_and_aggregate.CASES,
    *threshold_selection.CASES,
)

__all__ = ["CASES"]
