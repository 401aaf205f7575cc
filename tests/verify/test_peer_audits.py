"""What is wrong with the real diffprivlib is found by our audits, and ours pass the same ones.

Its environment is built when it is missing: it cannot share one with a current scikit-learn.
"""

from __future__ import annotations

from benchmarks.peers.audits import noise, refusal, silent_nan

from tacit.core.chance.randomness import Seeded


def test_a_silent_nan_is_found_out() -> None:
    """epsilon = nan fits without noise and without a word; ours is refused."""
    found = silent_nan(Seeded(0))
    assert found.epsilon > 3
    assert found.holds
    assert refusal().holds


def test_float_noise_is_refuted_and_ours_is_not() -> None:
    """Which doubles come out tells 0 from 1. False alarms have probability 1e-9."""
    theirs, ours = noise(Seeded(0))
    assert (theirs.name, theirs.holds, theirs.epsilon > 2) == ("diffprivlib Laplace", True, True)
    assert (ours.name, ours.holds) == ("our discrete Laplace", True)
