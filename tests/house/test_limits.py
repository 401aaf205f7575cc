"""Limits that are checked before work: sizes, digits, nesting, and what a file may be."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.concepts.algebra.parities import Parities
from tacit.concepts.contract.domains import WIDEST
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.grid.boxes import Boxes
from tacit.concepts.line.points import Points
from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.concepts.rules.selections import Selections
from tacit.core import bounded_file as reading
from tacit.core import check
from tacit.core.bounded_file import read_bytes, read_text
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TacitError, TooLarge
from tacit.core.numbers.exact import integer, rational, told
from tacit.data import Bits, Category, Integer, Schema
from tacit.data.schema.rule_class import rules_over
from tacit.learners.algebra.block_parity import BlockParityLearner
from tacit.learners.contract.model import Model
from tacit.learners.contract.seal import sealed
from tacit.theory.dimensions.all_dimensions import dimensions
from tacit.theory.solving.class_table import sauer
from tacit.workflows import learn
from tacit.workflows.planning.plan import plan

SCHEMA = Schema({"ward": Integer(0, 2), "sick": Bits()})
ROWS = {"ward": [0, 1, 2] * 20, "sick": [0, 1, 1] * 20}


@pytest.mark.parametrize(
    "spec",
    [
        "points(bits=100000000)",
        f"points(bits={WIDEST + 1})",
        f"points(values={(1 << WIDEST) + 1})",
        "intervals(bits=15000)",
        "thresholds(bits=15000)",
        "parities(dims=1000000000)",
        "boxes(bits=8, dims=1000000000)",
        "boxes(bits=128, dims=128)",
        f"boxes(values={'4x' * WIDEST}4)",
        "conjunctions(dims=1000000000, width=500000000)",
        "halfspaces(bits=100000000, dims=1)",
        "balls(bits=100000000, dims=1)",
        f"scorecards(values={'1024x' * WIDEST}2)",
        "rules(" + "[" * 100_000 + ")",
        f"points(bits={'9' * 5000})",
        f"boxes(values={'9' * 5000}x2)",
        f"scorecards(values={'9' * 5000})",
    ],
)
def test_a_class_of_absurd_size_is_refused(spec: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse(spec)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "spec",
    [
        f"points(bits={WIDEST})",
        f"points(values={1 << WIDEST})",
        f"intervals(bits={WIDEST})",
        f"boxes(bits=64, dims={WIDEST // 64})",
        f"boxes(bits=1, dims={WIDEST})",
        f"parities(dims={WIDEST})",
        f"conjunctions(dims={WIDEST}, width={WIDEST // 2})",
        f"balls(bits={WIDEST}, dims=1)",
    ],
)
def test_the_largest_classes_are_planned_and_written(spec: str) -> None:
    concepts = parse(spec)
    assert str(parse(str(concepts))) == str(concepts)
    assert json.dumps(concepts.encode(concepts.draw(rng=Seeded(1))))
    assert f"{concepts.size} {concepts.domain_size}"
    assert plan(concepts, alpha="0.1", epsilon=1, delta="1e-6", among=["generic"]).nonprivate_n


def test_a_longer_line_is_planned_for_but_not_learned() -> None:
    """Its model could not be written, after the budget was spent."""
    with pytest.raises(InvalidArgument, match="up to 1048576 bits"):
        Points(1 << 21)
    long = Points(1 << 20)
    assert plan(long, alpha="0.1", epsilon=1, among=["generic"]).nonprivate_n
    with pytest.raises(InvalidArgument, match="points have up to 4096 bits"):
        learn(ROWS, SCHEMA, concepts=long, features=["ward"], labels=["sick"], epsilon=1)


def test_sizes_come_from_numpy_too() -> None:
    """Whose integers overflow where Python's do not."""
    assert Boxes(np.int64(70), np.int64(2)).domain_size == 1 << 140
    assert Points(np.int64(70)).values == 1 << 70


def test_wrappers_stand_in_few_others() -> None:
    assert parse_output("or_never(majorities(points(bits=2)))")
    with pytest.raises(InvalidArgument, match="up to 8 others"):
        parse_output("or_never(" * 9000 + "points(bits=2)" + ")" * 9000)


def test_selections_are_counted_step_by_step() -> None:
    assert Selections(6, 2, 6).size == 3**6
    assert Selections(6, 1, 3).places.tolist() == [0, 1, 7, 22, 42]
    assert sauer(3, 6) == 42
    with pytest.raises(InvalidArgument, match="too many to count"):
        Selections(100_000, 1, 5000)
    with pytest.raises(TooLarge, match="counted up to"):
        sauer(1 << 20, 1 << 4096)


def test_dimensions_of_the_largest_classes() -> None:
    """Sauer's bound over 2^4096 points used to be computed, and not used."""
    assert dimensions(Parities(WIDEST), time_limit=5).vc.exact
    assert dimensions(Conjunctions(WIDEST, WIDEST), time_limit=5).vc.upper == WIDEST


def test_blocks_of_parities_say_what_they_cannot_plan() -> None:
    with pytest.raises(TooLarge, match="up to 1024 columns"):
        BlockParityLearner(Parities(2048), labels=1, epsilon=1, delta="1e-6")
    found = plan("parities(dims=2048)", alpha="0.1", epsilon=1, delta="1e-6")
    assert "block-parity" in found.too_large


def test_labels_are_planned_up_to_a_number() -> None:
    with pytest.raises(InvalidArgument, match="labels must be at most"):
        plan("points(bits=4)", alpha="0.1", epsilon=1, labels=1 << 70)


@pytest.mark.parametrize(
    "value", ["1" * 1001, "1e1001", "1e-1001", "1e999999999", Decimal("1e999999999"), "1e+x"]
)
def test_numbers_of_absurd_length_are_refused(value: Any) -> None:
    with pytest.raises(InvalidArgument):
        rational(value)


def test_numbers_of_some_length_are_read_and_written() -> None:
    assert str(rational("1e-1000") * rational("1e1000")) == "1"
    assert rational(Decimal("0.30")) == Fraction(3, 10)
    assert integer("0121") == 121
    with pytest.raises(InvalidArgument, match="5000 digits"):
        integer("9" * 5000)


def test_an_error_tells_the_length_of_what_is_long() -> None:
    with pytest.raises(InvalidArgument, match=r"got a number of 166.. bits"):
        check.probability(beta=10**5000)
    with pytest.raises(InvalidArgument, match=r"got a number of 166.. bits"):
        check.count(n=-(10**5000) // 2)
    with pytest.raises(InvalidArgument, match="at most 9, got 10"):
        check.count(n=10, up_to=9)
    assert len(told("x" * 10_000)) < 100


def test_only_regular_files_of_some_size_are_read(tmp_path: Path) -> None:
    here, pipe = tmp_path / "here", tmp_path / "pipe"
    here.write_bytes(b"\xef\xbb\xbfabc")
    os.mkfifo(pipe)
    assert read_text(here) == "abc"
    assert read_bytes(here, largest=6) == b"\xef\xbb\xbfabc"
    with pytest.raises(InvalidArgument, match="it has 6 bytes, and at most 5 are read"):
        read_bytes(here, largest=5)
    for other in (pipe, tmp_path, "/dev/zero"):
        with pytest.raises(InvalidArgument, match="no regular file"):
            read_bytes(other)
    with pytest.raises(InvalidArgument, match="no file has such a name"):
        read_bytes("a\0b")
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "nothing")


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").write_bytes(b"x" * 9)
    before = os.stat_result((0o100644, 0, 0, 1, 0, 0, 3, 0, 0, 0))
    monkeypatch.setattr(reading.os, "fstat", lambda _: before)
    with pytest.raises(InvalidArgument, match="at most 5 are read"):
        read_bytes(tmp_path / "log", largest=5)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 20_000,
        "x = " + "{a=" * 20_000,
        "a" + ".a" * 200_000 + " = 1",
        '"a"' + " . 'a'" * 200_000 + " = 1",
        f"[columns.age]\ntype = 'integer'\nlow = 0\nhigh = {'9' * 5000}",
        "#" * (1 << 23),
    ],
    ids=["arrays", "tables", "dots", "quoted", "digits", "length"],
)
def test_a_schema_is_held_to_a_size(text: str) -> None:
    with pytest.raises(InvalidArgument, match="the schema"):
        Schema.parse(text)


def test_many_columns_and_categories_are_a_schema() -> None:
    wards = Category([f"w{i}" for i in range(40_000)])
    schema = Schema({"ward": wards} | {f"c{i}": Bits() for i in range(5_000)})
    assert Schema.parse(schema.dump()) == schema
    with pytest.raises(InvalidArgument, match="'w7' twice"):
        Category([*wards.values, "w7"])
    with pytest.raises(InvalidArgument, match="1024 bits"):
        Category([1 << 2000])


def test_dots_in_categories_are_no_nesting() -> None:
    """Object identifiers have a dozen parts."""
    schema = Schema({"code": Category(["1.2.840.113883.6.96.1.2.3.4.5.6", "other"])})
    assert Schema.parse(schema.dump()) == schema


def test_cut_points_are_read_without_going_back() -> None:
    with pytest.raises(InvalidArgument, match="rules takes width"):
        rules_over(SCHEMA, ["ward"], "a" + " " * 100_000 + "b")
    assert rules_over(SCHEMA, ["ward"], " width = 1 , ward = 1:2 ").width == 1
    for asked in ("width", "cuts"):
        with pytest.raises(InvalidArgument, match=f"{asked} must be at most 100000"):
            rules_over(SCHEMA, ["ward"], f"{asked}=999999999")


def _of_matrix(tmp_path: Path) -> tuple[Path, Model]:
    path = tmp_path / "mine.csv"
    path.write_text("011\n001\n")
    concepts = Finite.read(str(path))
    told = {"features": ["ward"], "labels": ["sick"], "epsilon": 1, "rng": Seeded(0)}
    return path, learn(ROWS, SCHEMA, concepts=concepts, **told)


def test_a_model_carries_its_matrix(tmp_path: Path) -> None:
    path, model = _of_matrix(tmp_path)
    text = model.dumps()
    path.unlink()
    assert Model.loads(text) == model
    assert json.loads(text)["matrix"] == ["011", "001"]


@pytest.mark.parametrize("rows", [None, 5, [5], "01", ["012", "001"], ["01", "001"], []])
def test_a_model_opens_no_other_file(tmp_path: Path, rows: Any) -> None:
    """Not even one that is there and holds a class."""
    _, model = _of_matrix(tmp_path)
    encoded = {key: value for key, value in model.encode().items() if key != "matrix"}
    changed = encoded if rows is None else encoded | {"matrix": rows}
    with pytest.raises(InvalidArgument):
        Model.decode(sealed(changed))


@pytest.mark.parametrize(
    "change",
    [
        {"secure": 1},
        {"secure": "yes"},
        {"agnostic": None},
        {"schema": 5},
        {"version": ["[" * 9]},
        {"features": "ward"},
        {"features": ["ward", "age"]},
        {"labels": [["sick"]]},
        {"labels": ["sick", "well"]},
        {"labels": ["\ud800"]},
        {"n": -1},
        {"outputs": "or_never(" * 500 + "points(bits=2)" + ")" * 500},
        {"privacy": {"epsilon": "1e9999", "delta": "0"}},
    ],
    ids=str,
)
def test_a_model_of_wrong_types_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    _, model = _of_matrix(tmp_path)
    with pytest.raises(TacitError):
        Model.decode(sealed(model.encode() | change))


@pytest.mark.parametrize("deep", [400, 900, 950, 980, 1000, 100_000])
def test_a_model_that_is_nested_deep_is_refused(deep: int) -> None:
    """Also where it can be read, and its digest not be computed."""
    inside = "[" * deep + "]" * deep
    with pytest.raises(InvalidArgument):
        Model.loads(f'{{"format": "tacit-model-1", "x": {inside}}}')


def test_arrays_hold_what_they_claim(tmp_path: Path) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, np.array([[0, 1], [1, 1]]))
    assert Finite.read(str(path)).size == 2
    header = {"descr": "|b1", "fortran_order": False, "shape": (1 << 20, 1 << 20)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
    with pytest.raises(InvalidArgument, match="claims to hold 2 dimensions of bool"):
        Finite.read(str(path))
    np.savez(tmp_path / "archive", a=np.eye(2))
    (tmp_path / "archive.npz").replace(path)
    with pytest.raises(InvalidArgument, match="no array"):
        Finite.read(str(path))


def test_a_matrix_has_up_to_so_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.concepts.contract.finite.ENTRIES", 5)
    assert Finite([[0, 1]]).size == 1
    with pytest.raises(InvalidArgument, match="at most 5 entries"):
        Finite([[0, 1, 0], [1, 1, 1]])


def test_the_second_of_two_equal_rows_is_named() -> None:
    with pytest.raises(InvalidArgument, match="row 3 is equal"):
        Finite([[0, 1], [1, 1], [0, 1], [1, 1]])
