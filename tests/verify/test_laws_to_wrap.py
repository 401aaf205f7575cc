"""The bases that wrappers are tried on keep their own promises, and use them up."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.core.cost import Approximate, Pure
from tacit.mechanisms.mechanism import Kernel
from tacit.verify.cases.wrapping import first_row, leaky, tilted
from tacit.verify.enumeration import Case, verify


@pytest.mark.parametrize(
    ("base", "least"),
    [
        (tilted(1), 0.999),
        (tilted("1/5"), 0.999),
        (tilted(2), 0.999),
        (leaky("1/2", "1/100"), 0.999),
        (leaky(1, "1/1000"), 0.999),
        (leaky("1/5", "1/20"), 0.999),
        (first_row(1), 0.999),
    ],
)
@pytest.mark.parametrize("n", [2, 4])
def test_bases_keep_and_use_up_their_promise(
    base: Kernel[tuple[str, ...], Any], least: float, n: int
) -> None:
    assert isinstance(base.cost, Pure | Approximate)
    case = Case("", "", "mechanism", base.cost, ("a", "b", "c"), n, base.law, symmetric=False)
    finding = verify(case)
    assert finding.verdict == "verified"
    assert finding.share >= least
