"""Certificates of dimensions and optima: the true ones are believed, changed ones are not."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tacit.concepts.contract.specification import parse
from tacit.theory.dimensions.all_dimensions import dimensions
from tacit.theory.optimum.optimum import optimum
from tacit.workflows.releasing import check_certificate
from tacit.workflows.releasing.certificates import dimensions_certificate, optimum_certificate


def test_it_is_one_file_of_plain_python() -> None:
    text = Path(check_certificate.__file__).read_text()
    assert len(text.splitlines()) <= 300
    assert "import tacit" not in text
    assert "from tacit" not in text
    bare = subprocess.run([sys.executable, "-I", check_certificate.__file__], capture_output=True)
    assert (bare.returncode, bare.stderr) == (1, b"REFUSED: use: check_certificate.py FILE\n")


@pytest.mark.parametrize("spec", ["thresholds(values=6)", "points(values=4)", "parities(dims=2)"])
def test_dimensions_are_believed(spec: str) -> None:
    told = dimensions_certificate(dimensions(parse(spec)))
    said = check_certificate.check(json.dumps(told))
    assert len(said) == 2
    assert all("at most" in line for line in said)


@pytest.fixture(scope="module")
def six() -> dict[str, Any]:
    return dimensions_certificate(dimensions(parse("thresholds(values=6)")))


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("vc", {"lower": 2}),
        ("vc", {"upper": 0}),
        ("vc", {"shattered": [0, 1], "lower": 2, "upper": 2}),
        ("littlestone", {"upper": 1}),
        ("littlestone", {"lower": 3}),
        ("littlestone", {"concepts": [0, 0, 0, 0]}),
    ],
)
def test_other_dimensions_are_refused(
    six: dict[str, Any], part: str, change: dict[str, Any]
) -> None:
    told = six | {part: six[part] | change}
    with pytest.raises(ValueError, match=r"."):
        check_certificate.check(json.dumps(told))


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    best = optimum("points(values=2)", n=2, epsilon=1, symmetric=False)
    return optimum_certificate(best)


@pytest.mark.parametrize(("proper", "agnostic"), [(True, False), (False, True), (True, True)])
def test_an_optimum_is_believed_from_both_sides(*, proper: bool, agnostic: bool) -> None:
    asked = {"n": 3, "epsilon": "1/2", "proper": proper, "agnostic": agnostic}
    best = optimum("thresholds(values=2)", **asked, symmetric=False)
    reduced = optimum("thresholds(values=2)", **asked)
    assert abs(best.upper - reduced.upper) < 1e-9
    told = json.loads(json.dumps(optimum_certificate(best)))
    assert "loses between" in check_certificate.check(json.dumps(told))[0]


@pytest.mark.parametrize("key", ["lower", "upper", "law", "prior", "flows", "epsilon", "table"])
def test_another_optimum_is_refused(certificate: dict[str, Any], key: str) -> None:
    told = copy.deepcopy(json.loads(json.dumps(certificate)))
    assert check_certificate.check(json.dumps(told))
    match key:
        case "lower" | "upper":
            told[key] = "1" if key == "lower" else "0"
        case "law":
            told["law"][0]["masses"][0] += 1
        case "prior":
            told["prior"][0]["weight"] *= 9
        case "flows":
            told["flows"][0][3] += told["unit"]
        case "epsilon":
            told["epsilon"] = "9/10"
        case "table":
            told["table"] = ["00", "11"]
    with pytest.raises(ValueError, match=r"."):
        check_certificate.check(json.dumps(told))
