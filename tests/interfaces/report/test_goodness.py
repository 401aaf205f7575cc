"""What the report says of measured rules: numbers of the reading, pictures that are readable."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tacit.concepts.rules.scorecard import Parabola, Scorecard, Steps
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.cost import Pure
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.interfaces.report import Asked, write_report
from tacit.interfaces.report.blocks import Axis, BarsBlock, Grid, PlotBlock, Stroke
from tacit.interfaces.report.goodness import against_constant, calibration, roc, short_rule
from tacit.interfaces.report.svg import draw_bars, draw_plot
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.calibration import Calibration, level_shares
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows import rules
from tacit.workflows.card_points import points_by_column

SCHEMA = Schema(
    {
        "age": Integer(18, 100),
        "bmi": Real(10, 60, "0.5", outside="null"),
        "ward": Category(("north", "<b>south", "west")),
        "smoker": Bits(),
        "children": Integer(0, 6),
        "zip": Integer(0, 10**7),
        "sick": Bits(),
    }
)
CARD = Scorecard((2, Parabola(3, -1), (0, -50, 35), 40, (0, 5, 5, 9, 9, 9, 9), 0), 90)
CARDS = Scorecards("83xq102xc3x2xc7x10000001")
RATES = (Fraction(3, 5), Fraction(3, 20), Fraction(1, 8))
TOLD = Reading(
    1000, (-10, 0, 10), 150, 240, ((500, 20), (200, 70), (50, 90), (-4, 60)), (Fraction(3),) * 3
)
FLAT = Reading(100, (0,), 50, 48, ((40, 38), (12, -3)), RATES)


def model(told: Reading | None = TOLD, card: Scorecard = CARD) -> Model:
    return Model(
        concepts=CARDS,
        outputs=CARDS,
        features=SCHEMA.names[:-1],
        labels=("sick",),
        hypotheses=(card,),
        n=5000,
        learner="margin",
        cost=Pure(1),
        privacy=Privacy(1),
        accuracy=None,
        agnostic=True,
        secure=True,
        schema=SCHEMA.dump(),
        version="0",
        measured=() if told is None else (told,),
    )


def written(tmp_path: Path, name: str, of: Model) -> str:
    asked = Asked("scorecards", Fraction(1), Fraction(0), None, Fraction(1, 20))
    write_report(tmp_path / name, of, asked)
    return (tmp_path / name).read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]


def test_numbers_are_those_of_the_reading(tmp_path: Path) -> None:
    text = written(tmp_path, "r.md", model())
    assert text.index("## How good the rules are") < text.index("## Read this first")
    low, high = TOLD.error_interval()
    assert "sick errs 15.0 % of the time on 1000 rows it never saw" in text
    found = ranking(TOLD)
    table = rows(text)
    summary = next(row for row in table if row[0] == "sick" and row[-1] == "95 %")
    assert summary[1] == f"0.150 ({low:.3f} to {high:.3f})"
    assert summary[2].startswith("no: 0.240 (")
    assert summary[3].startswith(f"{found.area:.3f} (")
    assert ["yes", "150", "46"] in table, "noisy cells from score 0 on, with and without the label"
    assert ["no", "90", "700"] in table
    middle = next(row for row in table if row[0] == "90 (the rule)")
    assert middle[1].startswith(f"{found.rates[1].hits:.3f} (")
    assert next(row for row in table if row[0] == "from 100 on")[1] == "60", "cut at 0"
    risks = Calibration.of(TOLD).risks(np.array([-15, 0, 15]))
    for points, risk in zip(("75 or fewer", "90", "105 or more"), risks, strict=True):
        assert [points, f"{risk:.3f}"] in table
    assert "Note:** sick errs" not in text
    assert (
        "| sick | yes if the points of age, bmi, ward, smoker, children, which are listed below"
        in text
    )


def test_a_rule_is_one_sentence_wherever_it_stands() -> None:
    """Also that of an eighth label, whose points are not drawn, and one that no row fulfils."""
    many = replace(model(None), labels=tuple("abcdefgh"), hypotheses=(CARD,) * 8)
    said = [short_rule(many, place, rule) for place, rule in enumerate(rules(many))]
    assert said[0].endswith("which are listed below, add up to 90 or more")
    assert said[7].endswith("which are in the query, add up to 90 or more")
    never = model(card=replace(CARD, threshold=10**9))
    told = short_rule(never, 0, rules(never)[0])
    assert told.startswith("no to every row, since no row reaches 1000000000 points")


def test_what_cannot_be_told_from_a_constant_is_a_warning(tmp_path: Path) -> None:
    text = written(tmp_path, "r.html", model(FLAT))
    assert re.search(r'class="warned">sick errs .* show no gain over that constant', text)
    table = rows(written(tmp_path, "r.md", model(FLAT)))
    assert ["yes", "0", "12"] in table


def test_nothing_measured_is_said_with_the_way_out(tmp_path: Path) -> None:
    text = written(tmp_path, "r.md", model(None))
    assert "Nothing was measured" in text
    assert "--hold-out 0.2" in text
    assert "tacit measure" in text
    assert "| points | risk |" not in text


def test_the_page_draws_band_risk_and_points(tmp_path: Path) -> None:
    text = written(tmp_path, "r.html", model())
    root = ElementTree.fromstring(text.partition("\n")[2])
    titles = [each.text for each in root.iter("title")][1:]
    assert titles[:4] == [
        "The error of sick beside that of a constant",
        "Hits against alarms of sick",
        "Risk of sick by points",
        "Points of sick, column by column: age",
    ]
    assert "<b>south" not in text
    assert "prefers-color-scheme: dark" in text


def test_the_band_holds_the_curve() -> None:
    found = ranking(TOLD)
    plot = roc("sick", TOLD, found)
    band, chance, curve, here = plot.lines
    assert chance.points == ((1, 1), (0, 0))
    assert here.points == ((found.rates[1].alarms, found.rates[1].hits),)
    many = len(curve.points)
    upper, lower = band.points[:many], band.points[many:]
    for (x, y), (left, top) in zip(curve.points, upper, strict=True):
        assert left <= x
        assert y <= top
    for (x, y), (right, bottom) in zip(curve.points[-2:0:-1], lower, strict=True):
        assert x <= right
        assert bottom <= y


def test_risks_are_drawn_where_they_are() -> None:
    plot = calibration("sick", TOLD, "points", 90)
    band, risk, shares = plot.lines
    top = 1.0
    known, many = level_shares(TOLD), len(shares.points)
    assert [y for _, y in band.points[:many]] == [each.high for each in known]
    assert [y for _, y in band.points[many:]][::-1] == [each.low for each in known]
    assert [y * top for _, y in risk.points] == pytest.approx(Calibration.of(TOLD).shares)
    assert [y * top for _, y in shares.points] == pytest.approx([20 / 520, 70 / 270, 90 / 140, 1])
    assert [said for _, said in plot.across.marks] == ["80", "90", "100"]


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Return the boxes of level texts, letters being at most 7.6 wide."""
    found = []
    for each in ElementTree.fromstring(svg).iter("text"):
        if "transform" in each.attrib:
            continue
        x, y, wide = float(each.attrib["x"]), float(each.attrib["y"]), 7.6 * len(each.text or "")
        left = {"end": x - wide, "middle": x - wide / 2}.get(each.get("text-anchor", ""), x)
        found.append((left, left + wide, y - 12, y))
    return found


def test_words_do_not_collide() -> None:
    """Many marks, and long names: what does not fit is left out, cut or put on a new line."""
    marks = tuple((i / 40, str(10**6 + i)) for i in range(41))
    lines = tuple(Stroke(kind, ((0, 0), (1, 1)), "a long name of a line") for kind in
                  ("band", "promised", "impossible", "here", "told"))  # fmt: skip
    plot = PlotBlock("t", Axis("across", marks), Axis("up", ((0, "0"), (1, "1"))), lines)
    words = tuple(("x" * 80, number) for number in (-1200, 7, 0, 350))
    bars = draw_bars(BarsBlock("b", (("first", words), ("second", words * 10)), Grid(())))
    columns = [ElementTree.tostring(each, "unicode") for each in ElementTree.fromstring(bars)]
    assert len(columns) == 2
    told = Reading(1000, (0,), 940, 520, ((480, 0), (0, 520)), (Fraction(3, 5),) * 3)
    for svg in (draw_plot(plot), draw_plot(against_constant("x" * 30, told)), *columns):
        found = boxes(svg)
        assert len(found) > 8 or svg not in columns
        width = float(ElementTree.fromstring(svg).attrib["width"])
        for i, (left, right, top, bottom) in enumerate(found):
            assert left >= -1
            assert right <= width + 1
            for other in found[:i]:
                apart = right <= other[0] or other[1] <= left or bottom <= other[2]
                assert apart or other[3] <= top, (found[i], other)


def test_what_was_measured_comes_first_and_the_rest_is_folded(tmp_path: Path) -> None:
    root = ElementTree.fromstring(written(tmp_path, "r.html", model()).partition("\n")[2])
    sections = root.findall(".//section")
    seen = [each.findtext("h2") for each in sections if each.find("details") is None]
    assert seen == ["How good the rules are", "The rules", "Read this first"]
    assert sections[0].find(".//svg") is not None
    unprinted = [each.findtext(".//h2") for each in sections if each.get("class") == "screen"]
    assert unprinted == ["What was asked", "The rules in SQL", "To do it again"]


def test_a_constant_is_drawn_beside_the_rule() -> None:
    rule, always, dots = against_constant("sick", TOLD).lines
    top = 0.5
    for line, interval in ((rule, TOLD.error_interval()), (always, TOLD.constant_interval())):
        assert [y * top for _, y in line.points] == pytest.approx(interval)
    assert [y * top for _, y in dots.points] == pytest.approx([TOLD.error, TOLD.constant_error])


def test_points_by_column() -> None:
    found = {each.column: each for each in points_by_column(model())}
    assert list(found) == ["age", "bmi", "ward", "smoker", "children"], "zip counts nothing"
    assert found["age"].points == (("18", 0), ("59", 82), ("100", 164))
    assert found["age"].rate == "2 for each 1 above 18"
    assert found["bmi"].points[0] == ("10", 0)
    assert found["bmi"].points[-2:] == (("60", 300 - 100**2), ("missing or out of range", -9898))
    assert found["ward"].points == (("north", 0), ("<b>south", -50), ("west", 35))
    assert found["smoker"].points == (("no", 0), ("yes", 40))
    assert found["children"].points == (("below 1", 0), ("between 1 and 2", 5), ("at least 3", 9))
    assert points_by_column(replace(model(), hypotheses=(_NoCard(),))) == ()


def test_steps_of_a_wide_column_are_told_as_steps() -> None:
    weights = (0, 0, (0, 0, 0), 0, (0,) * 7, Steps((5 * 10**6, 6 * 10**6), (4, 4, -3)))
    (found,) = points_by_column(model(card=Scorecard(weights, 0)))
    assert found.points == (("below 6000000", 4), ("at least 6000000", -3))


def test_listed_points_are_what_the_card_adds_up() -> None:
    """Every value's words are found again in a row, whose score is the sum of its points."""
    found = {each.column: dict(each.points) for each in points_by_column(model())}
    row = {"age": "59", "bmi": "22.5", "ward": "west", "smoker": "yes", "children": "at least 3"}
    total = sum(found[name][said] for name, said in row.items())
    point = np.array([[59 - 18, 25, 2, 1, 5, 0]])
    assert CARD.score(point).tolist() == [total - CARD.threshold]


class _NoCard:
    levels = (0,)
