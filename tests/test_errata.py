"""The numbers that show the errors found in the papers, and that the page tells what we know."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from math import ceil, comb, e, exp, floor, log, log2
from pathlib import Path

import pytest
from scipy.stats import binom

from tacit.concepts.finite import Finite
from tacit.core.law import Law
from tacit.core.privacy import Privacy
from tacit.core.divergence import divergence
from tacit.theory.binomial_tails import at_most
from tacit.theory.errata import ERRATA, page
from tacit.theory.references import REFERENCES
from tacit.theory.representatives import sauer

ROOT = Path(__file__).parent.parent
F = Fraction


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=lambda found: found.id)
def test_every_erratum_is_guarded(erratum: object) -> None:
    """The named test exists; what has none is a misprint without consequence."""
