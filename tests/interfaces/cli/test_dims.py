"""`tacit dims`: the contract, every family, witnesses that their verifiers accept, time limits."""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.interfaces.cli.application import app
from tacit.interfaces.output import progress as since
from tacit.interfaces.output.progress import QUIET, patiently
from tacit.interfaces.pictures import picture as pictures
from tacit.theory.communication.bits import (
    communication,
    equality_messages,
    equality_value,
    line_bound,
    line_messages_upper,
)
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.dimensions.all_dimensions import dimensions
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.dimensions.teaching import teaching
from tacit.theory.dimensions.vc import vc
from tacit.theory.representations.bounds import (
    buckets,
    counting_bound,
    point_share_bound,
    separation_bound,
    tree_bound,
)
from tacit.theory.representations.sizes import deterministic_size
from tacit.theory.solving.class_table import at_least, at_most, listed, restrictions
from tacit.theory.solving.incidence import Incidence
from tacit.theory.solving.symmetry import symmetries_of
from tests.concepts.rules.test_rules import RULES

FAMILIES = [
    "points(bits=8)",
    "points(bits=64)",
    "points(values=3)",
    "thresholds(bits=2)",
    "thresholds(bits=32)",
    "thresholds(bits=5, direction=both)",
    "intervals(bits=4)",
    "intervals(bits=16)",
    "boxes(bits=2, dims=2)",
    "boxes(bits=8, dims=2)",
    "parities(dims=3)",
    "parities(dims=16)",
    "conjunctions(dims=4, width=2)",
    "conjunctions(dims=20, width=3)",
    "halfspaces(bits=2, dims=2)",
    "halfspaces(bits=2, dims=3)",
    "balls(bits=1, dims=2)",
    "balls(bits=1, dims=3)",
    "lines(p=7)",
    "lines(p=10007)",
    "scorecards(values=4x4)",
]


def _said(*arguments: str) -> dict[str, Any]:
    answered = CliRunner().invoke(app, ["dims", *arguments, "--json"])
    assert answered.exit_code == 0, answered.exception
    told: dict[str, Any] = json.loads(answered.stdout)
    return told


def _array(points: list[Any]) -> Any:
    big = isinstance(points[0], int) and max(points) >= 1 << 62
    return np.array(points, dtype=object if big else np.int64)


@pytest.mark.parametrize("spec", FAMILIES)
def test_every_family_answers_per_the_contract(spec: str) -> None:
    said, concepts = _said(spec, "--time-limit", "2"), parse(spec)
    assert said["class"] == str(concepts)
    assert said["domain_size"] == concepts.domain_size
    for name in ("vc", "littlestone"):
        known = said[name]
        assert known["value"] in (known["lower"], None)
        assert (known["value"] is None) == (known["lower"] < known["upper"])
        proved = concepts.vc if name == "vc" else concepts.littlestone
        assert proved.lower <= known["lower"] <= known["upper"] <= proved.upper
        assert known["why"]
    assert said["vc"]["upper"] <= said["littlestone"]["upper"]
    if said["vc"]["witness"] is not None and len(said["vc"]["witness"]) <= 8:
        points = _array(said["vc"]["witness"])
        assert len(points) == said["vc"]["lower"]
        assert len(concepts.dichotomies(points)) == 1 << len(points)
    tree = said["littlestone"]["tree"]
    if tree is not None:
        _check_tree(concepts, tree, said["littlestone"]["lower"])
    for kind in ("deterministic_representation", "probabilistic_representation"):
        size = said[kind]
        assert 0 <= size["lower"] <= size["upper"] <= math.log(at_most(concepts)) + 1e-9
    drawn, fixed = said["probabilistic_representation"], said["deterministic_representation"]
    assert drawn["lower"] <= fixed["upper"]
    bits = said["communication"]
    assert [b["error"] for b in bits] == sorted((b["error"] for b in bits), reverse=True)
    assert all(0 <= b["bits_lower"] <= b["bits_upper"] for b in bits)
    assert all(x["bits_lower"] <= y["bits_lower"] for x, y in pairwise(bits))


def _check_tree(concepts: Any, tree: dict[str, Any], depth: int) -> None:
    """Follow every path; written against the JSON alone."""
    leaves = [concepts.decode(encoded) for encoded in tree["concepts"]]
    assert len(leaves) == 1 << depth == len(tree["points"]) + 1
    points = _array(tree["points"]) if depth else np.array([])
    for number, leaf in enumerate(leaves):
        said, node = leaf(points) if depth else [], 0
        for level in reversed(range(depth)):
            label = number >> level & 1
            assert said[node] == label
            node = 2 * node + 1 + label


def test_a_matrix_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("0,0,1\n0,1,1\n1,1,1\n0,0,0\n")
    said = _said(f"matrix({path})")
    assert (said["concepts"], said["domain_size"]) == (4, 3)
    assert (said["vc"]["value"], said["littlestone"]["value"]) == (1, 2)
    assert [e["upper"] for e in said["least_errors"]] == ["1/2", "1/4", "1/8", "0"]
    assert said["deterministic_representation"]["lower"] == pytest.approx(math.log(4))


@pytest.mark.parametrize("text", ["0 1\n1 1\n", "01\r\n\r\n11", "0, 1\n1 ,1\n", "\ufeff0,1\n1,1\n"])
def test_a_line_of_a_matrix_is_a_concept_however_it_is_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(text.encode())
    assert [c.values for c in parse(f"matrix({path})").concepts()] == [(False, True), (True, True)]


def test_a_matrix_that_cannot_be_read_names_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, np.eye(2))
    with pytest.raises(InvalidArgument, match=r"neither text nor an array in a \.npy"):
        parse(f"matrix({path})")
    path.write_text("0,1\n1,1\n0,1\n")
    with pytest.raises(InvalidArgument, match="row 3 is equal to an earlier one"):
        parse(f"matrix({path})")
    np.save(tmp_path / "mine.npy", np.eye(2))
    with pytest.raises(InvalidArgument, match="2 dimensions of float64"):
        parse(f"matrix({tmp_path / 'mine.npy'})")


def test_the_name_of_a_matrix_is_shown_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m[bold]:heart:.csv").write_text("0\n1\n")
    shown = CliRunner().invoke(app, ["dims", "matrix(m[bold]:heart:.csv)"])
    assert shown.stdout.startswith("matrix(m[bold]:heart:.csv): 2 concepts")


def test_rules_that_are_one_function_are_one_concept() -> None:
    """Over the same columns and literals as the tests of rules: 299 rules, fewer functions."""
    rules = RULES
    rows = np.unique([concept(rules.domain()) for concept in rules.concepts()], axis=0)
    assert len(rows) < rules.size
    said = _said(str(rules), "--time-limit", "20")
    assert said["concepts"] is None
    assert said["vc"]["lower"] <= vc(rows).lower <= said["vc"]["upper"]
    depth = littlestone(rows).lower
    assert said["littlestone"]["value"] == depth
    _check_tree(rules, said["littlestone"]["tree"], depth)
    assert said["teaching"]["lower"] <= teaching(rows).lower <= said["teaching"]["upper"]
    assert at_least(rules) <= len(rows) <= at_most(rules)
    assert math.exp(said["deterministic_representation"]["lower"]) <= len(rows) + 1e-9


def test_people_read_the_same(tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    asked = ["dims", "thresholds(bits=2)", "--plot", str(picture)]
    shown = CliRunner().invoke(app, asked)
    assert shown.exit_code == 0
    assert "Littlestone dimension 2" in shown.stdout
    assert "<svg" in picture.read_text()
    many = CliRunner().invoke(app, ["dims", "thresholds(bits=64)", "--plot", str(picture)])
    assert "2^64 concepts" in many.stdout
    uncounted = CliRunner().invoke(app, ["dims", "scorecards(values=3x3)"])
    assert "uncounted" in uncounted.stdout


def test_pictures_that_cannot_be_drawn_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidArgument, match="must end in"):
        pictures.drawable(tmp_path / "tree.gif")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="pip install"):
        pictures.drawable(tmp_path / "tree.png")


def test_a_time_limit_leaves_what_is_certain() -> None:
    found = dimensions(parse("thresholds(values=14)"), time_limit=1.5)
    assert found.curve[0].lower == found.curve[0].upper == Fraction(1, 2)
    assert all(a.lower <= a.upper for a in found.curve)
    assert all(a.upper >= b.upper for a, b in pairwise(found.curve))
    assert all(bits.lower <= bits.upper for bits in found.communication)


def test_a_time_limit_counts_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    assert since.left(5.0) == 5.0  # called as a function: nothing was loaded for it
    with since.begun():
        assert since.left(50.0) < 50
    assert since.left(5.0) == 5.0
    token = since.BEGUN.set(time.monotonic() - 3.0)
    try:
        assert since.left(5.0) <= 2.0
        assert since.left(1.0) == since.LEAST
        given: list[float] = []

        def shortly(concepts: Any, *, time_limit: float, **asked: Any) -> Any:
            given.append(time_limit)
            return dimensions(concepts, time_limit=9.0, **asked)

        monkeypatch.setattr("tacit.interfaces.cli.theory.dims.dimensions", shortly)
        _said("points(values=3)", "--time-limit", "50")
        assert given[0] <= 47.0
    finally:
        since.BEGUN.reset(token)
    refused = CliRunner().invoke(app, ["dims", "points(values=3)", "--time-limit", "0"])
    assert isinstance(refused.exception, InvalidArgument)


def test_errors_that_are_not_computed_say_why(tmp_path: Path) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, np.unique(np.random.default_rng(0).integers(0, 2, (16, 5)), axis=0))
    said = _said(f"matrix({path})", "--time-limit", "3")
    assert said["least_errors"] == []
    assert "12 concepts, or 16 with known symmetries" in said["least_errors_why"]
    assert "too large to list" in _said("thresholds(bits=64)")["least_errors_why"]
    assert "both sides" in _said("points(values=3)")["least_errors_why"]


def test_what_would_take_too_long_is_not_begun() -> None:
    balls = parse("balls(bits=2, dims=3)")
    assert listed(balls, time_limit=1.0) is None
    assert not list(restrictions(balls, time_limit=1.0))


def test_steps_are_told_when_they_take_long(capsys: pytest.CaptureFixture[str]) -> None:
    with patiently(0.01) as tell:
        tell("first")
        for _ in range(6000):
            if "first ..." in capsys.readouterr().err:
                break
            time.sleep(0.01)
        tell("second")
    assert capsys.readouterr().err == "second ...\n"
    with patiently(60) as tell:
        tell("quick")
    assert capsys.readouterr().err == ""


def test_steps_are_not_told_to_who_wants_it_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    QUIET.set(True)
    try:
        with patiently(0.01) as tell:
            tell("first")
            time.sleep(0.3)
            tell("second")
    finally:
        QUIET.set(False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("m", [3, 4, 5, 8])
def test_equality_in_closed_form_against_the_game(m: int) -> None:
    concepts = parse(f"points(values={m})")
    table, symmetries = Incidence.of_class(concepts), symmetries_of(concepts)
    for messages in range(1, min(m, 5) + 1):
        found = public_coin_value(table, messages, symmetries=symmetries)
        assert found.lower == found.upper == equality_value(m, messages)


def test_equality_in_closed_form_against_all_pairs() -> None:
    for m in range(2, 26):
        for n in range(2, m + 1):
            assert equality_value(m, n) == _plain_equality(m, n)


def _plain_equality(m: int, n: int) -> Fraction:
    """Mix any two of: s concepts answered no, the others spread evenly."""

    def pairs(count: int, cells: int) -> int:
        sizes = [len(range(i, count, cells)) for i in range(cells)]
        return sum(g * (g - 1) for g in sizes)

    total = m * (m - 1)
    ends = [(Fraction(0), Fraction(pairs(m, n), total))]
    ends += [(Fraction(s, m), Fraction(pairs(m - s, n - 1), total)) for s in range(1, m + 1)]
    best = min(max(end) for end in ends)
    for a, b in ends:
        for c, d in ends:
            if a < b and c > d:
                best = min(best, a + (b - a) / (b - a + c - d) * (c - a))
    return best


def test_equality_needs_few_messages_whatever_the_domain() -> None:
    assert [equality_messages(n, "1/4") for n in (4, 8, 16, 32, 64, 1024)] == [2, 3, 3, 3, 3, 3]
    known = [equality_messages(n, "1/8") for n in (4, 8, 16, 32, 64, 256, 1024)]
    assert known == [3, 4, 5, 6, 7, 7, 7]
    assert float(equality_value(1 << 200, 2)) == pytest.approx((3 + math.sqrt(2)) / 14)


def test_lines_need_about_p_messages() -> None:
    golden = {101: (5.460, 8.243), 10007: (12.119, 14.874), 2**31 - 1: (29.830, 32.585)}
    for p, (low, high) in golden.items():
        assert math.log2(line_bound(p, "1/3")) == pytest.approx(low, abs=1e-3)
        assert math.log2(line_messages_upper(p, "1/3")) == pytest.approx(high, abs=1e-3)
    for messages, value in enumerate(("1/2", "26/81", "1/4"), start=1):
        assert line_bound(3, value) <= messages


def test_sizes_of_representations_that_are_known() -> None:
    golden = {4: 0.875, 8: 1.647, 16: 2.972, 64: 9.873, 512: 69.488}
    for depth, nats in golden.items():
        paths = sum(math.comb(depth, i) for i in range(depth // 4 + 1))
        assert math.log(0.75 * 2**depth / paths) == pytest.approx(nats, abs=1e-3)
        assert math.log(tree_bound(depth, alpha="1/4", beta="1/4")) >= nats
    assert buckets("1/4", "1/4") == (13, 1, 12)
    assert point_share_bound(122, beta="1/4") == 6
    assert point_share_bound(121, beta="1/4") == 5
    assert separation_bound(256, alpha="1/4") == 8
    assert [counting_bound(n, 20, alpha="1/4") for n in (2, 3, 4, 5, 6, 10, 11)] == [
        2, 3, 4, 4, 5, 5, 6,
    ]  # fmt: skip
    assert counting_bound(100, 20, alpha="1/2") == 2
    assert counting_bound(2**64, 2**64, alpha="1/4") == 8
    with pytest.raises(InvalidArgument, match="different concepts"):
        counting_bound(9, 3, alpha="1/4")


def test_representations_as_asked_for(tmp_path: Path) -> None:
    """By the class itself, by a file, at other accuracies; five thresholds have ln 4."""
    said = _said("thresholds(values=5)")["probabilistic_representation"]
    assert said["lower"] == pytest.approx(math.log(4)) == pytest.approx(said["upper"])
    asked = ("--alpha", "1/3", "--beta", "1/10", "--error", "0.05,0.2", "--error", "0.3")
    said = _said("points(values=5)", "--proper", *asked)
    assert [bits["error"] for bits in said["communication"]] == [0.05, 0.2, 0.3]
    drawn, using = said["probabilistic_representation"], said["using"]
    assert (drawn["alpha"], drawn["beta"]) == (1 / 3, 0.1)
    assert using["class"] == "points(values=5)"
    for kind in ("deterministic", "probabilistic"):
        assert (
            using[kind]["lower"]
            == pytest.approx(math.log(5))
            == pytest.approx(using[kind]["upper"])
        )
    given = tmp_path / "given.csv"
    given.write_text("10000\n01000\n00100\n00010\n00001\n00000\n")
    said = _said("points(values=5)", "--using", str(given))["using"]
    assert said["probabilistic"]["lower"] == pytest.approx(math.log(4))
    shown = CliRunner().invoke(app, ["dims", "points(values=5)", "--using", str(given)])
    assert "of these, drawn, ln" in shown.output
    large = _said("points(bits=8)", "--proper", "--time-limit", "10")["using"]
    assert large["probabilistic"]["lower"] is None
    assert "at most" in large["probabilistic"]["why"]


def test_hypotheses_that_cannot_represent_leave_all_the_rest(tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("000\n")
    said = _said("points(values=3)", "--using", str(given))
    assert said["using"]["deterministic"]["lower"] is None
    assert "no set of the given" in said["using"]["probabilistic"]["why"]
    assert said["littlestone"]["value"] == 1


def test_a_cover_by_any_functions_is_told_with_them() -> None:
    said = _said("parities(dims=3)")
    assert (said["cover"]["value"], said["function_cover"]["value"]) == (8, 3)
    rows = np.array([[int(y) for y in h] for h in said["function_cover"]["functions"]])
    points = np.array([[x >> i & 1 for i in range(3)] for x in range(8)])
    parities = points @ points.T % 2
    assert ((parities[:, None] != rows).sum(axis=2).min(axis=1) <= 2).all()


def test_hypotheses_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("000\n")
    for more, said in (
        (("--using", str(given), "--proper"), "give one of them"),
        (("--using", "points(values=4)"), "other points"),
        (("--alpha", "1"), "alpha"),
    ):
        shown = CliRunner().invoke(app, ["dims", "points(values=3)", *more])
        assert shown.exit_code == 2 or isinstance(shown.exception, InvalidArgument)
        assert said in f"{shown.output} {shown.exception}"


def test_uncounted_and_unlisted_classes_are_not_overrated() -> None:
    """What is claimed of a class too large to list holds of the same class when it is listed."""
    for spec in ("scorecards(values=2x2)", "scorecards(values=3x3)"):
        cards = parse(spec)
        size = deterministic_size(cards, Fraction(1, 4), depth=cards.littlestone.lower)
        assert size.lower <= size.upper
        assert math.exp(size.lower) <= 8 + 1e-9  # a tree of depth 3 asks for 8, and 3 points for 3


def test_a_class_that_nobody_counts_lies_between_bounds() -> None:
    cards = parse("scorecards(values=2x2)")
    assert at_least(cards) <= 14 <= at_most(cards)
    assert communication(cards, "1/2", depth=3).upper == 0
