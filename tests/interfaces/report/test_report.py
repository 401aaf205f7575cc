"""The report: well-formed, self-contained, complete, escaped, and never a data value."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from hashlib import sha256
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.randomness import Seeded, System
from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Gaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument
from tacit.core.group_privacy import group_privacy
from tacit.core.numbers.shown import at_most
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.interfaces.report import Asked, reportable, write_report
from tacit.interfaces.report.blocks import CodeBlock, Grid, Node, Section, Text, Warned
from tacit.interfaces.report.cost_tree import cost_tree
from tacit.interfaces.report.html import page
from tacit.interfaces.report.markdown import document
from tacit.interfaces.report.paper import laid_out
from tacit.interfaces.report.power import power_curve
from tacit.interfaces.report.svg import draw_tree
from tacit.learners.contract.model import Model
from tacit.workflows import learn, query, rules
from tests.interfaces.cli.test_command import call

SCHEMA = Schema(
    {
        "age": Integer(18, 100),
        "dose": Real(0, 10, "0.5", outside="null"),
        "ward": Category(("north", "<b>south</b>")),
        "sick": Bits(),
        "tired": Bits(),
    }
)
SECRETS = ("19.376251", "Mallory", "987654321")
"""Cells of the table that no report may hold: out of range, or in a column that is not used."""


def people(n: int = 600) -> dict[str, list[object]]:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 101, n)
    dose: list[object] = [*(rng.integers(0, 21, n - 1) / 2).tolist(), float(SECRETS[0])]
    return {
        "age": [*age[:-1].tolist(), int(SECRETS[2])],
        "dose": dose,
        "ward": [*rng.choice(["north", "<b>south</b>"], n - 1).tolist(), SECRETS[1]],
        "sick": (age >= 60).astype(int).tolist(),
        "tired": (age >= 40).astype(int).tolist(),
    }


def learned(rng: object = None, **asked: object) -> Model:
    wanted = {"concepts": "thresholds", "features": ["age"], "labels": ["sick", "tired"]}
    budget = {"epsilon": 1, "delta": "1e-6"}
    return learn(people(), SCHEMA, **{**wanted, **budget, **asked}, rng=rng or System())


def asked_for(model: Model, **more: object) -> Asked:
    given = {"concepts": "thresholds", "epsilon": Fraction(1), "delta": model.privacy.delta}
    return Asked(**{**given, "alpha": None, "beta": Fraction(1, 20), **more})


def written(tmp_path: Path, name: str, model: Model, asked: Asked) -> str:
    write_report(tmp_path / name, model, asked)
    return (tmp_path / name).read_text(encoding="utf-8")


def parsed(text: str) -> ElementTree.Element:
    assert text.startswith("<!DOCTYPE html>\n")
    return ElementTree.fromstring(text.partition("\n")[2])


@pytest.fixture(scope="module")
def model() -> Model:
    return learned()


def test_the_page_is_well_formed_and_needs_nothing_else(model: Model, tmp_path: Path) -> None:
    text = written(tmp_path, "r.html", model, asked_for(model))
    root = parsed(text)
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "@import" not in text
    tags = {element.tag for element in root.iter()}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "a", "form", "base"}
    named = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in named if name.startswith("on")} | named & {"src", "href", "style"}
    policy = root.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None
    assert policy.attrib["content"].startswith("default-src 'none'")
    assert len(root.findall(".//svg")) == 2


@pytest.mark.parametrize("name", ["r.html", "r.md"])
def test_everything_that_must_be_said_is_said(name: str, model: Model, tmp_path: Path) -> None:
    asked = asked_for(model, dataset="patients", analyst="ada", model_digest="f" * 64)
    text = written(tmp_path, name, model, asked)
    said = unescape(text) if name == "r.html" else re.sub(r"\\([^a-z0-9])", r"\1", text)
    for rule in rules(model):
        assert rule in said
    for words in (
        f"{at_most(model.privacy.epsilon, 6)} (exactly {model.privacy.epsilon})",
        "1e-06 (exactly 1/1000000)",
        "tables that differ in one replaced row; the number of rows is public",
        "one row of the table",
        f"The error is at most {at_most(model.accuracy.alpha, 6)} above",
        "with probability at least 0.95",
        "for all 2 labels at once",
        "2 times, all fixed before the first is drawn",
        "bounded_range composition",
        "the ledger's data set patients, by ada",
        "integers from 18 to 100 (83 values)",
        "rows of one person",
        f"tacit {model.version}",
        SCHEMA.digest,
        "f" * 64,
        "generic",
    ):
        assert words in said, words
    assert ("SELECT" in said) == (name == "r.html")
    if name == "r.html":
        assert query(model, "data") in said
    assert "charged to no ledger" not in said
    assert "NOT PRIVATE" not in said


@pytest.mark.parametrize("name", ["r.html", "r.md"])
def test_no_cell_of_the_table_is_shown(name: str, tmp_path: Path) -> None:
    found = learned(concepts="rules(width=2)", features=["age", "dose", "ward"])
    text = written(tmp_path, name, found, asked_for(found))
    assert not [secret for secret in SECRETS if secret in text]


def test_a_report_on_paper_is_the_page_on_a_few_sheets(model: Model, tmp_path: Path) -> None:
    asked = asked_for(model)
    write_report(tmp_path / "r.pdf", model, asked)
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF-")
    sheets = laid_out(written(tmp_path, "r.html", model, asked)).pages
    assert 1 <= len(sheets) <= 4
    assert [(round(each.width), round(each.height)) for each in sheets] == [(794, 1123)] * len(
        sheets
    )


def test_a_report_on_paper_is_refused_where_it_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(InvalidArgument, match=r"pip install 'tacit\[pdf\]'; or write a .html"):
        reportable(tmp_path / "r.pdf", tmp_path / "model.json")

    def lacking(name: str) -> None:
        raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.undo()
    monkeypatch.setattr("tacit.interfaces.report.paper.import_module", lacking)
    with pytest.raises(InvalidArgument, match=r"apt-get install libpango-1\.0-0"):
        reportable(tmp_path / "r.pdf", tmp_path / "model.json")


def test_two_tables_that_teach_the_same_give_the_same_report(tmp_path: Path) -> None:
    """What is written is a function of the model and the request: no statistic has a way in."""
    model = learned(rng=Seeded(1))
    again = Model.loads(json.dumps(model.encode()))
    asked = asked_for(model)
    assert written(tmp_path, "a.html", model, asked) == written(tmp_path, "b.html", again, asked)


def test_warnings(tmp_path: Path) -> None:
    seeded = learned(rng=Seeded(1))
    text = written(tmp_path, "r.html", seeded, asked_for(seeded))
    assert '<p class="warned grave">NOT PRIVATE' in text
    assert "charged to no ledger" in text
    assert "is large" not in text
    weak = learned(epsilon=50, delta="0.01")
    text = written(tmp_path, "r.md", weak, asked_for(weak, epsilon=Fraction(50)))
    assert "is large: it promises very little" in text
    assert "is above 1/n" in text
    silent = learned(epsilon="1e-6", delta=0, hold_out=0)
    text = written(tmp_path, "r.html", silent, asked_for(silent, epsilon=Fraction(1, 10**6)))
    assert silent.accuracy is None
    assert "Nothing is promised about the error" in text
    parsed(text)


NASTY = "<script>alert('x')</script>&\"`|*[a](b)\\ \x00\x1b]\n# ε"


def test_names_are_not_markup(tmp_path: Path) -> None:
    label, feature = "s<ick>&\"'`|*_", "a<script>ge"
    schema = Schema({feature: Integer(0, 9), label: Bits()})
    table = {feature: [1, 8] * 200, label: [0, 1] * 200}
    found = learn(
        table,
        schema,
        concepts="thresholds",
        features=[feature],
        labels=[label],
        epsilon=1,
        rng=System(),
    )
    asked = asked_for(found, dataset=NASTY, analyst=NASTY, concepts=NASTY)
    root = parsed(written(tmp_path, "r.html", found, asked))
    assert root.find(".//script") is None
    assert "<script>" not in written(tmp_path, "r.md", found, asked).replace("\\<", "").replace(
        f"[columns.{json.dumps(feature)}]", ""
    )


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_any_text_is_well_formed(said: str) -> None:
    blocks = (Text(said), Warned(said), CodeBlock(said), Grid(((said,),), (said,)), Node(said))
    root = parsed(page(said, said, (Section(said, blocks),)))
    assert [element.tag for element in root] == ["head", "body"]
    assert len(root.findall(".//section/*")) == 6
    lines = document(said, said, (Section(said, (Text(said), Grid(((said,),)))),)).splitlines()
    assert "|  |" in lines


def test_a_markdown_table_keeps_its_columns(model: Model, tmp_path: Path) -> None:
    text = written(tmp_path, "r.md", model, asked_for(model, concepts="a|b"))
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert any("a\\|b" in table for table in tables)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_every_cost_is_said_and_drawn() -> None:
    part = Sequential(Pure(1), Pure(1), Approximate(1, "1e-6"), ZeroConcentrated("0.1"))
    tree = Parallel(
        Repeat(part, 3),
        Subsample(Gaussian(4, 2), 10, 100, replacement=False),
        Repeat(BoundedRange("0.1"), 7, adaptive=False),
    )
    drawn = ElementTree.fromstring(draw_tree(cost_tree(tree)))
    said = [element.text for element in drawn.iter("text")]
    assert said == [
        "side by side, each on rows of its own",
        "3 times, each may depend on the earlier",
        "one after the other, on the same rows",
        "2 of these",
        "a release of ε = 1",
        "a release of ε = 1, δ = 1e-06",
        "a release of ρ = 0.1 (zero-concentrated)",
        "on a secret sample of 10 of 100 rows, drawn without replacement",
        "Gaussian noise of σ² = 4 on a number of sensitivity 2",
        "7 times, all fixed before the first is drawn",
        "a choice of ε = 0.1, whose loss has a bounded range",
    ]
    edges = [element.attrib["d"] for element in drawn.iter("path")]
    assert len(edges) == len(said) - 1
    assert edges[0] == "M12 18.0 V39.0 H29"
    assert edges[-1].startswith("M34 252.0 V273.0"), "the last leaf hangs on its own parent"


def test_a_huge_tree_is_drawn_in_part() -> None:
    many = Sequential(*(Pure(Fraction(i + 1, 100)) for i in range(200)))
    drawn = ElementTree.fromstring(draw_tree(cost_tree(many)))
    assert [element.text for element in drawn.iter("text")][-1] == "and 141 more"


def test_the_power_curve_is_that_of_the_learner(model: Model) -> None:
    curve = power_curve(model, asked_for(model))
    assert curve is not None
    rows, errors = zip(*curve.promised, strict=True)
    assert list(rows) == sorted(rows)
    assert list(errors) == sorted(errors, reverse=True)
    enough = [error for n, error in curve.promised if n <= model.n]
    assert curve.here == (600, float(model.accuracy.alpha))
    assert min(enough) == pytest.approx(curve.here[1], rel=0.3)
    assert min(enough) >= curve.here[1], "nothing better than what was promised"
    assert dict(curve.impossible)
    never = {error: n for n, error in curve.impossible}
    assert all(never[error] <= n for n, error in curve.promised)


def test_group_privacy() -> None:
    one = Privacy("0.5", "1e-6")
    for rows in (1, 2, 7):
        kept = group_privacy(one, rows)
        assert kept is not None
        exact = sum(1e-6 * math.exp(0.5 * i) for i in range(rows))
        assert kept.epsilon == rows * Fraction(1, 2)
        assert float(kept.delta) == pytest.approx(exact, rel=1e-12)
    assert group_privacy(Privacy(0, "1e-3"), 5) == Privacy(0, "5e-3")
    assert group_privacy(Privacy(500, "1e-30"), 5) is None
    assert group_privacy(Privacy(500), 5) == Privacy(2500)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(*(people()[name] for name in ("age", "sick")), strict=True)
    Path("p.csv").write_text("age,sick\n" + "".join(f"{a},{s}\n" for a, s in rows))
    Path("s.toml").write_text(Schema({"age": Integer(18, 100), "sick": Bits()}).dump())
    return tmp_path


ASKED = ("--schema", "s.toml", "--features", "age", "--labels", "sick", "--epsilon", "1")


@pytest.mark.parametrize("name", ["r.html", "r.MD"])
def test_the_command_writes_a_report(folder: Path, name: str) -> None:
    done = call("learn", "p.csv", *ASKED, "--report", name)
    assert done.returncode == 0
    assert done.stdout.endswith(f"The report is in {name}\n")
    text = Path(name).read_text(encoding="utf-8")
    assert sha256(Path("model.json").read_bytes()).hexdigest() in text
    assert "sick" in text
    done = call("learn", "p.csv", *ASKED, "--report", name, "--json")
    assert json.loads(done.stdout)["format"] == "tacit-model-1"


def test_a_report_is_written_of_a_saved_model(folder: Path) -> None:
    assert not call("learn", "p.csv", *ASKED, "--report", "then.md").returncode
    for path in ("p.csv", "s.toml"):
        Path(path).unlink()
    assert call("report", "model.json", "--out", "now.md").stdout == "The report is in now.md\n"
    then, now = (Path(name).read_text(encoding="utf-8") for name in ("then.md", "now.md"))
    differ = {*then.split("\n")} ^ {*now.split("\n")}
    assert len(differ) == 3
    assert all("charged" in line or "error asked for" in line for line in differ)
    told = json.loads(call("report", "model.json", "--json").stdout)
    assert told["model"] in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("r.docx", "a few sheets of A4"),
        ("no/r.html", "does not exist"),
        ("s.toml", "must end in"),
        ("p.html", "is where the model goes"),
    ],
)
def test_a_bad_report_is_refused_before_anything_is_spent(
    folder: Path, name: str, words: str
) -> None:
    done = call("learn", "p.csv", *ASKED, "--out", "p.html", "--report", name)
    assert done.returncode == 2
    assert words in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["p.csv", "s.toml"]


def test_a_class_without_a_curve_is_reported(tmp_path: Path) -> None:
    found = learned(concepts=Thresholds(7), epsilon="1e-6", delta=0)
    asked = asked_for(found, epsilon=Fraction(1, 10**6), concepts="thresholds(bits=7)")
    parsed(written(tmp_path, "r.html", found, asked))
