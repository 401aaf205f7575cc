"""CSV: a line is a row, whatever it holds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Schema, read_points, reduce
from tacit.data.reading import csv_lines
from tacit.data.reading.csv_lines import CsvFile, CsvHeader, split
from tacit.data.reading.template import template
from tacit.kernels.reading.csv_cells import LONGEST, cut
from tacit.statistics import LabelCounts

SCHEMA = Schema({"age": Integer(0, 120), "sex": Category(["f", "m"]), "sick": Bits()})


def cells_of(line: str, delimiter: str) -> list[str]:
    """The reference: one character at a time."""
    cells, cell, i = [], "", 0
    while True:
        start = i
        while line[i : i + 1] == " ":
            i += 1
        closing = quotes_after(line, i) if line[i : i + 1] == '"' else []
        if closing:
            cell, i = line[i + 1 : closing[0]].replace('""', '"'), closing[0] + 1
        else:
            cell = line[start:i] if line[i : i + 1] != '"' else ""
        while i < len(line) and line[i] != delimiter:
            cell += line[i]
            i += 1
        cells.append(cell)
        if i >= len(line):
            return cells
        i += 1


def quotes_after(line: str, start: int) -> list[int]:
    """Where a quoted cell that opens at `start` closes: at the first quote that is not doubled."""
    i = start + 1
    while i < len(line):
        if line[i] == '"' and line[i + 1 : i + 2] == '"':
            i += 2
        elif line[i] == '"':
            return [i]
        else:
            i += 1
    return []


def rows_of(body: bytes, delimiter: str, columns: int) -> list[list[str]]:
    lines = body.split(b"\n")
    rows = []
    for line in lines[:-1] if lines[-1] == b"" else lines:
        text = line.decode("utf-8", "replace").removesuffix("\r")
        if columns == 1 or text:
            text = text.replace("\r", " ").replace("\0", " ")
            rows.append([*cells_of(text, delimiter), *[""] * columns][:columns])
    return rows


PIECES = st.sampled_from(
    [
        *(b"1", b"f", b" ", b",", b",", b'"', b'"', b'""', b"\r", b"\r\n", b"\n", b"\n", b"\0"),
        *(b"\xff", b"\xc3\xa9", b";", b"\t", b"'", b"\\", b"x" * 40),
    ]
)


@pytest.mark.parametrize("columns", [1, 2, 3])
@settings(max_examples=150, deadline=None, derandomize=True)
@given(pieces=st.lists(PIECES, max_size=40), chunk=st.integers(1, 60))
@example(pieces=[b'"', b"\n", b"1", b",", b"2", b"\n"], chunk=7)
@example(pieces=[b'"1"', b",", b'"a,""b"""', b",", b'"', b"\n"], chunk=60)
@example(pieces=[b"1,2,3\r\n4,5,6\r\n"], chunk=60)
@example(pieces=[b'a"b,c",2\n', b'a"b",2\n', b'"a"b,c\n', b'"a" ,2\n'], chunk=60)
@example(pieces=[b'"a"b,c"d",2\n', b'"a"b"c,d",e\n', b'"a","b"",c"\n', b'"a"",2\n'], chunk=60)
def test_each_line_is_one_row(columns: int, pieces: list[bytes], chunk: int) -> None:
    body = b"".join(pieces)
    header = [f"n{i}" for i in range(columns)]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_lines, "CHUNK", chunk)
        path = Path(folder) / "t.csv"
        path.write_bytes(",".join(header).encode() + b"\n" + body)
        got = read_cells(path, header)
    assert got == rows_of(body, ",", columns)


def read_cells(path: Path, names: list[str]) -> list[list[str]]:
    return [
        [cell.decode("utf-8", "replace") for cell in row]
        for batch in CsvFile(path).batches(names)
        for row in zip(*(column.to_pylist() for column in batch), strict=True)
    ]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    rows=st.lists(
        st.tuples(st.integers(-5, 130), st.sampled_from("fmx"), st.integers(0, 2)), min_size=1
    ),
    line=st.binary(min_size=1, max_size=30).filter(lambda b: b"\n" not in b and b != b"\r"),
    place=st.integers(0, 10**6),
)
def test_replacing_a_line_replaces_a_row(
    rows: list[tuple[int, str, int]], line: bytes, place: int
) -> None:
    lines = [f"{age},{sex},{sick}".encode() for age, sex, sick in rows]
    changed = [*lines]
    changed[place % len(lines)] = line
    counts = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        for body in (lines, changed):
            path.write_bytes(b"\n".join([b"age,sex,sick", *body]))
            counts.append(reduce(path, SCHEMA, ["age", "sex"], ["sick"]))
    assert counts[0].n == counts[1].n == len(rows)
    for part in ("totals", "positives"):
        before, after = (
            dict(zip(map(tuple, c.points.tolist()), getattr(c, part).ravel().tolist(), strict=True))
            for c in counts
        )
        moved = [abs(before.get(p, 0) - after.get(p, 0)) for p in before | after]
        assert sum(moved) <= 2
        assert max(moved) <= 1


def read(path: Path) -> LabelCounts:
    return reduce(path, SCHEMA, ["age"], ["sick"])


@pytest.mark.parametrize(
    ("body", "ages"),
    [
        (b"age,sex,sick\n41,f,1\n67,m,0\n", [41, 67]),
        (b"\xef\xbb\xbfage,sex,sick\r\n41,f,1\r\n67,m,0\r\n", [41, 67]),
        (b"age;sex;sick\n41;f;1\n67;m;0", [41, 67]),
        (b"sick\tsex\tage\n1\tf\t41\n0\tm\t67\n\n\n", [41, 67]),
        (b'name,age,sex,sick\n"Doe, Jane",41,f,1\n\'x,67,m,0\n', [41, 67]),
        (b'"age","sex","sick"\n"41","f","1"\n"67","m","0"\n', [41, 67]),
        (b"age,sex,sick\n41\n67,m,0,9,9\n", [41, 67]),
        (b"age,sex,sick\nforty,f,1\n\xff\xfe,m,0\n", [0, 0]),
        (b'age,sex,sick\n41,f,perhaps\n67,"m,0\n', [41, 67]),
        (b"age,sex,sick\n41,f,1\n" + b"9" * 10**6 + b",m,0\n", [41, 120]),
        (b"age,sex,sick\n41,f,1\n67," + b"x" * (3 * 10**6) + b',"\n', [41, 67]),
        (b"age,sex,sick\n", []),
    ],
)
def test_rows_survive(body: bytes, ages: list[int], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(body)
    counts = read(path)
    assert counts.n == len(ages)
    assert np.repeat(counts.points, counts.totals).tolist() == sorted(ages)
    assert read_points(path, SCHEMA, ["age"]).tolist() == ages


def test_several_files_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("sick;age\n1;67\n")
    (tmp_path / "a.csv").write_text("age,sick\n41,0\n42,1\n")
    assert read_points(tmp_path / "*.csv", SCHEMA, ["age"]).tolist() == [41, 42, 67]
    both = [tmp_path / "b.csv", str(tmp_path / "a.csv")]
    assert read_points(both, SCHEMA, ["age"]).tolist() == [67, 41, 42]
    assert read(tmp_path / "*.csv").positives.ravel().tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "no header"),
        (b"\n1,2\n", "no header"),
        (b"9876,f,1\n67,m,0\n", "seems to have no header: its first line holds a number"),
        (b"Age,sick\n9876,1\n", "no column 'age': .*; small and large letters differ"),
        (b"f,m,n\n9876,m,0\n", "no column 'age': rename it there or in the schema$"),
        (b"age,sex\n9876,f\n", "no column 'sick'"),
        (b"age,age,sick\n9876,2,1\n", "more than one column 'age'"),
        (b"age,sex,sick\r9876,f,1\r", "alone"),
        ("age,sick\n9876,1\n".encode("utf-16"), "UTF-8"),
        (b"PAR1age,sick\n", "UTF-8"),
        ("gr\xf6\xdfe,age,sick\n1,9876,1\n".encode("latin-1"), "a header that is not UTF-8"),
    ],
)
def test_bad_files_are_refused(body: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(body)
    with pytest.raises(InvalidArgument, match=says) as error:
        read(path)
    assert "t.csv" in str(error.value)
    assert "9876" not in str(error.value).split("t.csv")[1], (
        "a file without a header must not show its first row"
    )


def test_the_template_shows_no_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("9876,f,1\n67,m,0\n")
    with pytest.raises(InvalidArgument, match="no header") as error:
        template(path)
    assert "9876" not in str(error.value).split("t.csv")[1]
    path.write_text(",age,sick\n0,67,1\n")
    assert template(path).count("[columns.") == 2, "a column without a name is left out"


def test_what_the_template_shows_can_be_pasted() -> None:
    """Each block of its examples is a column, under a header of its own."""
    shown = (
        template({"age": []}).partition("under a column's name:\n#\n")[2].partition("\n#\n# Any")[0]
    )
    blocks = [block.replace("#   ", "") for block in shown.split("\n#\n")]
    schema = Schema.parse("\n".join(f"[columns.c{i}]\n{b}" for i, b in enumerate(blocks)))
    kinds = [type(schema[name]).__name__ for name in schema.names]
    assert kinds == ["Integer", "Real", "Category", "Date", "Bits"]


def test_a_line_of_blanks_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for line in ("  ", "\t", " , ", "x"):
        path.write_text(f"age,sex,sick\n67,f,1\n{line}\n41,m,0\n")
        assert read(path).n == 3
    path.write_text("age,sex,sick\n67,f,1\n\n41,m,0\n\n")
    assert read(path).n == 2, "an empty line has no cells"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(line=st.lists(PIECES, max_size=30).map(b"".join).filter(lambda b: b"\n" not in b))
def test_the_kernel_cuts_a_line_as_the_definition_does(line: bytes) -> None:
    """Also where only some columns are wanted, in another order, one of them twice."""
    for columns in (1, 2, 4):
        rows = rows_of(line + b"\n", ",", columns)
        wanted = [columns - 1, 0, columns - 1]
        found = [column.to_pylist() for column in cut(line + b"\n", ",", columns, wanted)]
        read = [[cell.decode("utf-8", "replace") for cell in cells] for cells in found]
        assert read == [[row[place] for row in rows] for place in wanted]
        text = line.decode("utf-8", "replace").removesuffix("\r")
        if columns == 1 or text:
            cells = split(text.replace("\r", " ").replace("\0", " "), ",")
            assert rows == [[*cells, *[""] * columns][:columns]]


@pytest.mark.parametrize("chunk", [9, 16, 17, 18, 19, 40, 1 << 24])
def test_a_byte_order_mark_is_one_at_the_start_of_a_file_only(chunk: int, tmp_path: Path) -> None:
    """In 0.1.0 it was dropped where a chunk happened to begin, or a line to be rewritten."""
    path, mark = tmp_path / "t.csv", b"\xef\xbb\xbf"
    lines = [mark + b"41,f,1", b"67,m,0", mark + b"42,f,1", mark + b"43,f,1"]
    for other in (b"67,m,0", b"67,\xe9,0", b"67,m,0," + b"x" * 50, b"67,m", b'67,"m,0'):
        lines[1] = other
        path.write_bytes(b"\n".join([mark + b"age,sex,sick", *lines, b""]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_lines, "CHUNK", chunk)
            assert read_points(path, SCHEMA, ["age"]).tolist() == [0, 67, 0, 0]


@pytest.mark.parametrize("chunk", [1 << 16, 1 << 24])
def test_a_line_of_any_length_is_read_by_its_beginning(chunk: int, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for extra in (-9, -1, 0, 1, 2, LONGEST, 40 * LONGEST):
        long = b"67," + b"x" * (LONGEST - 6 + extra) + b",1\r"
        path.write_bytes(b"age,sex,sick\n41,f,1\n" + long + b"\n42,m,0\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_lines, "CHUNK", chunk)
            rows = read_cells(path, ["age", "sick"])
        assert rows[0] == ["41", "1"]
        assert rows[2] == ["42", "0"]
        assert rows[1] == ["67", "1" if extra <= 1 else ""]


@pytest.mark.parametrize("last", [b'"', b'""', b"y", b"\r", b","])
def test_nothing_beyond_the_longest_line_is_looked_at(last: bytes, tmp_path: Path) -> None:
    """Also a quote that would double the last one, and what another chunk holds."""
    line = b'67,"' + b"x" * (LONGEST - 4 - len(last)) + last
    ((expected,),) = (column.to_pylist() for column in cut(line + b"\n", ",", 2, [1]))
    path = tmp_path / "t.csv"
    for beyond in (b'"', b",", b"\r", b"x" * LONGEST + b'"'):
        path.write_bytes(b"age,sex\n" + line + beyond + b"\n")
        for chunk in (1 << 16, 1 << 24):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(csv_lines, "CHUNK", chunk)
                assert read_cells(path, ["sex"]) == [[expected.decode()]]


def test_a_header_of_any_length_is_refused_in_time(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"x" * (3 * LONGEST))
    with pytest.raises(InvalidArgument, match="more than 1 MiB"):
        CsvFile(path)
    assert CsvHeader.read(b"a," + b"x" * 1000, title="t.csv").names[0] == "a"


def test_many_unclosed_quotes_take_linear_time() -> None:
    assert len(split('"' * 200_001 + "," * 200_000, ",")) == 200_001
