"""What to do when there are too few rows: each way out with the number it gives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tacit.learners.catalogue import USUAL
from tacit.learners.every_class import label_private
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.offers import CONTENDERS, cheapest
from tacit.workflows.planning.reach import reach

SMALL_DELTA = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class WayOut:
    """A change of the goal, in words, and the rows that would then be enough."""

    change: str
    n: int


def ways_out(goal: Goal, n: int) -> tuple[WayOut, ...]:
    """Return changes of the goal with which n rows are enough, or fewer are than before.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> [way.change for way in ways_out(goal, 600)][:2]
    ['collect more rows', 'ask for error 0.06386']
    """
    now = cheapest(goal)
    ways = [] if now is None else [WayOut("collect more rows", now.n)]
    ways += [way for way in _changes(goal, n) if now is None or way.n < now.n]
    return tuple(ways)


def sentence(ways: Sequence[WayOut]) -> str:
    """Say all ways out in one sentence.

    >>> sentence((WayOut("collect more rows", 1179), WayOut("ask for error 0.1", 590)))
    'Either collect more rows (1179 are enough), or ask for error 0.1 (590 are enough).'
    """
    said = [f"{way.change} ({way.n} are enough)" for way in ways]
    return f"Either {', or '.join(said)}." if len(said) > 1 else f"{said[0].capitalize()}."


def _changes(goal: Goal, n: int) -> Iterator[WayOut]:
    for question, change in (("alpha", "ask for error"), ("epsilon", "spend epsilon")):
        found = reach(question, goal, n)  # type: ignore[arg-type]
        if found is not None:
            value = getattr(found.goal, question)
            yield WayOut(f"{change} {float(value):g}", found.n)
    if not goal.delta:
        yield from _way("allow delta = 1e-6", replace(goal, delta=SMALL_DELTA))
    if goal.proper:
        yield from _way("allow improper hypotheses", replace(goal, proper=False))
    if goal.labels > 1:
        yield from _fewer_labels(goal, n)
    if not goal.labels_only:
        change = "protect the labels only, features public"
        yield from _way(change, replace(goal, labels_only=True), (label_private.ENTRY.name,))


def _way(change: str, goal: Goal, among: Sequence[str] = CONTENDERS) -> Iterator[WayOut]:
    offer = cheapest(goal, among)
    if offer is not None:
        yield WayOut(change, offer.n)


def _fewer_labels(goal: Goal, n: int) -> Iterator[WayOut]:
    """Say for how many labels n rows are enough, or what one of them needs.

    By the learners that are cheapest for all labels and for one, and the usual one.
    """
    one, many = cheapest(replace(goal, labels=1)), cheapest(goal)
    if one is None:
        return
    among = {USUAL, *(offer.name for offer in (one, many) if offer is not None)}
    rows = {1: one.n, goal.labels: math.inf if many is None else many.n}

    def needed(labels: int) -> float:
        if labels not in rows:
            offer = cheapest(replace(goal, labels=labels), among)
            rows[labels] = math.inf if offer is None else offer.n
        return rows[labels]

    low, high = 1, goal.labels
    while high - low > 1 and one.n <= n:
        middle = min(max(_labels_between(low, high, rows, n), low + 1), high - 1)
        low, high = (middle, high) if needed(middle) <= n else (low, middle)
    said = "one label" if low == 1 else f"{low} labels"
    yield WayOut(f"learn {said} only", int(rows[low]))


def _labels_between(low: int, high: int, rows: Mapping[int, float], n: int) -> int:
    """Return about for how many labels n rows are enough: a line in the logarithms."""
    few, more = math.log(max(rows[low], 1)), math.log(max(rows[high], 1))
    if not few < more < math.inf:
        return (low + high) // 2
    share = min(max((math.log(n) - few) / (more - few), 0.0), 1.0)
    return int(low * math.exp(share * math.log(high / low)) + 0.5)
