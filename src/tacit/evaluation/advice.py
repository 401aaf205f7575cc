"""What to do when there are too few rows: each way out with the number it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.evaluation.plan import Goal, Offer, offers_for, plan
from tacit.learners.label_private import LabelPrivateLearner

SMALL_DELTA = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class WayOut:
    """A change of the goal, in words, and the rows that would then be enough."""

    change: str
    n: int


def ways_out(goal: Goal, n: int) -> tuple[WayOut, ...]:
    """Return changes of the goal with which n rows are enough, or fewer are than before.

    >>> from tacit.concepts.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> [way.change for way in ways_out(goal, 600)][:2]
    ['collect more rows', 'ask for error 0.09769']
    """
    now = _least(goal)
    ways = [] if now is None else [WayOut("collect more rows", now)]
    ways += [way for way in _changes(goal, n) if now is None or way.n < now]
    return tuple(ways)


def sentence(ways: Sequence[WayOut]) -> str:
    """Say all ways out in one sentence.

    >>> sentence((WayOut("collect more rows", 1179), WayOut("ask for error 0.1", 590)))
    'Either collect more rows (1179 are enough), or ask for error 0.1 (590 are enough).'
    """
    said = [f"{way.change} ({way.n} are enough)" for way in ways]
    return f"Either {', or '.join(said)}." if len(said) > 1 else f"{said[0].capitalize()}."


def _changes(goal: Goal, n: int) -> Iterator[WayOut]:
    shared: dict[str, Any] = {
        "beta": goal.beta,
        "delta": goal.delta,
        "labels": goal.labels,
        "agnostic": goal.agnostic,
        "proper": goal.proper,
    }
    wider = plan(goal.concepts, n=n, epsilon=goal.epsilon, **shared).answer
    if wider is not None:
        yield from _way(f"ask for error {float(wider):g}", replace(goal, alpha=Fraction(wider)))
    spent = plan(goal.concepts, n=n, alpha=goal.alpha, **shared).answer
    if spent is not None:
        yield from _way(f"spend epsilon {float(spent):g}", replace(goal, epsilon=Fraction(spent)))
    if not goal.delta:
        yield from _way("allow delta = 1e-6", replace(goal, delta=SMALL_DELTA))
    if goal.proper:
        yield from _way("allow improper hypotheses", replace(goal, proper=False))
    if goal.labels > 1:
        yield from _way("learn one label only", replace(goal, labels=1))
    if not goal.agnostic and goal.labels == 1:
        yield from _public_features(goal)


def _way(change: str, goal: Goal) -> Iterator[WayOut]:
    rows = _least(goal)
    if rows is not None:
        yield WayOut(change, rows)


def _public_features(goal: Goal) -> Iterator[WayOut]:
    try:
        learner = LabelPrivateLearner(goal.concepts, epsilon=goal.epsilon)
        yield WayOut("protect the labels only, features public", learner.sample_size(goal.accuracy))
    except (InvalidArgument, TooLarge):
        return


def _least(goal: Goal) -> int | None:
    """Return the fewest rows that a learner without assumptions needs."""
    return min((offer.n for offer in offers_for(goal) if _free(offer)), default=None)


def _free(offer: Offer) -> bool:
    return not offer.assumes
