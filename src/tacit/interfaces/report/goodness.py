"""How good the rules are, as far as it was measured: tables, curves with their bands, points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor

import numpy as np

from tacit.concepts.rules.scorecard import Scorecard
from tacit.core.numbers.shown import outwards
from tacit.interfaces.output.promise import decided
from tacit.interfaces.report.blocks import (
    Axis,
    BarsBlock,
    Block,
    Grid,
    Place,
    PlotBlock,
    Stroke,
    Text,
    Warned,
)
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.calibration import Calibration, level_shares
from tacit.mechanisms.measuring.ranking import Ranking, ranking
from tacit.mechanisms.measuring.reading import CONFIDENCE, Reading
from tacit.mechanisms.measuring.statement import by_group
from tacit.probability.noisy_share import ShareInterval
from tacit.workflows.card_points import ColumnPoints, points_by_column, verdict

DETAILED = 6
"""Labels that are shown one by one; of others the first table alone tells."""
EACH_POINT = 20
"""So many sums of points have a risk of their own in the table; of more, the levels have."""
PICTURED = 2
"""Labels whose pictures are seen at once, and printed; of others they are folded away."""
SENTENCE = 200
"""Letters of a rule that is told in a sentence."""
SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1)
TOPS = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Where the axis of risks may end."""
SURE = f"{float(100 * CONFIDENCE):g} %"


def goodness(model: Model) -> Iterator[Block]:
    """Say how good each rule was found, or how to find out."""
    if model.grouped and not model.measured:
        yield from in_groups(model)
        return
    if not model.measured:
        yield Text(
            "Nothing was measured: nobody knows how often these rules err on rows they never saw. "
            "Learn with --hold-out 0.2, or measure the model on other rows: tacit measure."
        )
        return
    for place, (label, always) in enumerate(zip(model.labels, model.always, strict=True)):
        said = f"{label} {model.said(place)}."
        more = " More rows, or a larger ε, may tell; until then it may be worth no more than that."
        more = more if always is None else ""
        yield Text(said) if model.gains(place) else Warned(said + more)
    for place in range(min(len(model.measured), PICTURED)):
        yield from pictures(model, place)


def in_numbers(model: Model) -> Iterator[Block]:
    """Tell the same in numbers: intervals, groups, and what other thresholds would do."""
    if not model.measured:
        return
    found = [ranking(told) for told in model.measured]
    yield Grid(
        tuple(map(_summary, model.labels, model.measured, found)),
        ("label", "error", "error of a constant", "area under the curve", "rows", "confidence"),
    )
    yield Text(
        "Intervals hold with the confidence said, sampling and noise together, if rows to come are "
        "drawn as these were. The area is the chance that a row with the label scores higher than "
        "one without: 0.5 is chance, 1 is perfect."
    )
    yield from in_groups(model)
    for place, each in enumerate(found[:PICTURED]):
        yield from details(model, place, each)


def others_in_numbers(model: Model) -> Iterator[Block]:
    """Tell of the labels that are not pictured at once what is told of the first."""
    for place in range(PICTURED, min(len(model.measured), DETAILED)):
        yield from pictures(model, place)
        yield from details(model, place, ranking(model.measured[place]))


def pictures(model: Model, place: int) -> Iterator[PlotBlock]:
    """Draw of one label the error beside that of a constant, and where it ranks, how well."""
    label, told = model.labels[place], model.measured[place]
    yield against_constant(label, told)
    if len(told.levels) > 1:
        yield roc(label, told, ranking(told))
        yield calibration(label, told, *_scale(model, place))


def against_constant(label: str, told: Reading) -> PlotBlock:
    """Draw the error of the rule and that of the better constant, each with its interval."""
    known = (
        (0.2, "the rule", told.error, told.error_interval()),
        (0.75, f"always {'yes' if told.constant else 'no'}", told.constant_error, None),
    )
    bars = [(x, told.constant_interval() if band is None else band) for x, _, _, band in known]
    top = next(t for t in TOPS if t >= max(band.high for _, band in bars))
    lines = (
        *(Stroke("promised", ((x, b.low / top), (x, b.high / top)), "") for x, b in bars),
        Stroke("told", tuple((x, share / top) for x, _, share, _ in known), f"error, {SURE}"),
    )
    up = Axis(f"error of {label}", tuple((s, f"{s * top:.3g}") for s in SHARES))
    across = Axis("", tuple((x, said) for x, said, _, _ in known))
    title = f"The error of {label} beside that of a constant"
    return PlotBlock(title, across, up, lines, (230, 280))


def in_groups(model: Model) -> Iterator[Block]:
    """Tell once how many rows the groups have, and draw the errors of each label in them."""
    known = list(by_group(model.labels, model.groups, model.grouped).items())
    if not known:
        return
    what = "The same in groups of these rows" if model.measured else "Groups of rows held out"
    yield Text(
        f"{what}, which are numbered here. How many rows a group has is private too: it lies "
        f"between two numbers. All of a label holds at once, with {SURE}."
    )
    sized = enumerate(known[0][1], start=1)
    yield Grid(
        tuple((str(i), g["group"], f"{g['rows_low']} to {g['rows_high']}") for i, g in sized),
        ("number", "group", "rows"),
    )
    places = [(i + 0.5) / len(model.groups) for i in range(len(model.groups))]
    marks = tuple((x, str(i)) for i, x in enumerate(places, start=1))
    for label, stated in known[:DETAILED]:
        told = tuple(zip(places, (g["error"] for g in stated), strict=True))
        bars = tuple(
            Stroke("promised", ((x, g["low"]), (x, g["high"])), SURE if x == places[0] else "")
            for x, g in zip(places, stated, strict=True)
        )
        numbers = Grid(
            tuple(
                (
                    str(i),
                    _between(g["error"], ShareInterval(g["low"], g["high"])),
                    _between(g["positive"], ShareInterval(g["positive_low"], g["positive_high"])),
                )
                for i, g in enumerate(stated, start=1)
            ),
            ("group", f"error of {label}", f"share with {label}"),
        )
        up = Axis(f"error of {label}", tuple((share, f"{share:g}") for share in SHARES))
        lines = (*bars, Stroke("told", told, "told"))
        yield PlotBlock(f"Errors of {label} by group", Axis("group", marks), up, lines)
        yield numbers


def _summary(label: str, told: Reading, found: Ranking) -> tuple[str, ...]:
    error = _between(told.error, told.error_interval())
    always = f"{'yes' if told.constant else 'no'}: "
    always += _between(told.constant_error, told.constant_interval())
    return label, error, always, _between(found.area, found.area_interval), str(told.n), SURE


def details(model: Model, place: int, found: Ranking) -> Iterator[Block]:
    """Show of one label who is told apart: at the rule's threshold, and at others."""
    label, told, (name, shift) = model.labels[place], model.measured[place], _scale(model, place)
    yes = told.levels.index(0) + 1
    sides = (("yes", told.cells[yes:]), ("no", told.cells[:yes]))
    yield Text(
        f"{label}: what the rule said of the {told.n} rows, and what was true. Counts are noisy, "
        "so they need not add up."
    )
    yield Grid(
        tuple(
            (said, *(str(max(sum(pair[mark] for pair in part), 0)) for mark in (1, 0)))
            for said, part in sides
        ),
        ("the rule said", label, f"not {label}"),
    )
    yield Text(
        f"{label}: what other thresholds would do. Hits are the rows with the label that are "
        f"found, alarms those without it that are called. All intervals hold at once, with {SURE}."
    )
    yield Grid(
        tuple(
            (
                f"{each.level + shift}{' (the rule)' if each.level == 0 else ''}",
                _between(each.hits, each.hits_interval),
                _between(each.alarms, each.alarms_interval),
            )
            for each in found.rates
        ),
        (f"yes from {name}", "hits", "alarms"),
    )


def roc(label: str, told: Reading, found: Ranking) -> PlotBlock:
    """Draw hits against alarms, and the band that holds the curve of the levels."""
    rates = found.rates
    best = [(each.alarms_interval.low, each.hits_interval.high) for each in rates]
    worst = [(each.alarms_interval.high, each.hits_interval.low) for each in rates]
    ends: tuple[Place, Place] = ((1, 1), (0, 0))
    here = rates[told.levels.index(0)]
    lines = (
        Stroke("band", (ends[0], *best, ends[1], *reversed(worst)), f"band of {SURE}"),
        Stroke("impossible", ends, "chance"),
        Stroke("promised", (ends[0], *((r.alarms, r.hits) for r in rates), ends[1]), "told"),
        Stroke("here", ((here.alarms, here.hits),), "the rule"),
    )
    marks = tuple((share, f"{share:g}") for share in SHARES)
    title = f"Hits against alarms of {label}"
    return PlotBlock(title, Axis("alarms", marks), Axis("hits", marks), lines)


def calibration(label: str, told: Reading, name: str = "score", shift: int = 0) -> PlotBlock:
    """Draw the risk on each level, the noisy shares it is read off, and where these may lie."""
    risks, bands = Calibration.of(told).shares, level_shares(told)
    held = [(max(no, 0) + max(yes, 0), max(yes, 0)) for no, yes in told.cells]
    shares = [yes / rows if rows else None for rows, yes in held]
    top = next(t for t in TOPS if t >= max(1e-9, *risks, *(s for s in shares if s is not None)))
    parts = len(risks)
    middles = [(i + 0.5) / parts for i in range(parts)]
    outline = [*((x, b.high) for x, b in zip(middles, bands, strict=True))]
    outline += reversed([(x, b.low) for x, b in zip(middles, bands, strict=True)])
    lines = (
        Stroke("band", tuple((x, min(y / top, 1)) for x, y in outline), f"band of {SURE}"),
        Stroke(
            "promised", tuple((x, r / top) for x, r in zip(middles, risks, strict=True)), "risk"
        ),
        Stroke(
            "told",
            tuple((x, s / top) for x, s in zip(middles, shares, strict=True) if s is not None),
            "noisy share of rows",
        ),
    )
    edges = [level + shift for level in told.levels]
    inner = (f"{a} to {b - 1}" for a, b in pairwise(edges))
    named = [f"below {edges[0]}", *inner, f"from {edges[-1]} on"]
    numbers = Grid(
        tuple(
            (band, str(rows), "" if share is None else f"{share:.3f}", f"{risk:.3f}")
            for band, (rows, _), share, risk in zip(named, held, shares, risks, strict=True)
        ),
        (name, "rows, noisy", "share with the label, noisy", "risk"),
    )
    across = Axis(name, tuple(((i + 1) / parts, f"{edge:.6g}") for i, edge in enumerate(edges)))
    up = Axis(f"risk of {label}", tuple((s, f"{s * top:.3g}") for s in SHARES))
    return PlotBlock(f"Risk of {label} by {name}", across, up, lines, numbers=numbers)


def short_rule(model: Model, place: int, rule: str) -> str:
    """Say the rule, or where the points of a card are, which are too many for a sentence."""
    card = model.hypotheses[place]
    if len(rule) <= SENTENCE or not isinstance(card, Scorecard):
        return decided(rule)
    if model.always[place] is not None:
        return verdict(model, place)
    names = ", ".join(each.column for each in points_by_column(model, place))
    where = "listed below" if place < DETAILED else "in the query"
    return f"yes if the points of {names}, which are {where}, add up to {card.threshold} or more"


def points(model: Model, first: int = 0, end: int = DETAILED) -> Iterator[Block]:
    """Show the points of scorecards, and the risk of their sums where it was measured."""
    for place, label in enumerate(model.labels[first:end], start=first):
        columns, card = points_by_column(model, place), model.hypotheses[place]
        if not columns or not isinstance(card, Scorecard):
            continue
        yield Text(f"{label}: {verdict(model, place)}, of all columns together.")
        bars = tuple((each.column, each.points) for each in columns)
        numbers = Grid(tuple(_lines(columns)), ("column", "value", "points"))
        yield BarsBlock(f"Points of {label}, column by column", bars, numbers)
        if model.measured:
            yield Text(f"The risk of {label} by the sum of points, as it was measured.")
            yield _risks(model.measured[place], card.threshold)


def _lines(columns: Sequence[ColumnPoints]) -> Iterator[tuple[str, str, str]]:
    for each in columns:
        if each.rate:
            yield each.column, "any", each.rate
        for place, (words, number) in enumerate(each.points):
            first = each.column if not place and not each.rate else ""
            yield first, words, f"{number:+}" if number else "0"


def _risks(told: Reading, threshold: int) -> Grid:
    found = Calibration.of(told)
    low, high = floor(found.scores[0]), ceil(found.scores[-1])
    every = range(low, high + 1)
    sums = every if len(every) <= EACH_POINT else (low, *told.levels, high)
    said = [str(score + threshold) for score in sums]
    said[0], said[-1] = f"{said[0]} or fewer", f"{said[-1]} or more"
    risks = [f"{risk:.3f}" for risk in found.risks(np.array(sums))]
    return Grid(tuple(zip(said, risks, strict=True)), ("points", "risk"))


def _scale(model: Model, place: int) -> tuple[str, int]:
    """Return what scores are called, and what is added to one: a card's are points."""
    card = model.hypotheses[place]
    return ("points", card.threshold) if isinstance(card, Scorecard) else ("score", 0)


def _between(told: float, interval: ShareInterval) -> str:
    low, high = outwards(*interval, 3)
    return f"{told:.3f} ({low} to {high})"
