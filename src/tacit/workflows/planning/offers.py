"""The learners that promise what is asked for, with the rows they need: the fewest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.answer import Answer, answer
from tacit.learners.contract.entry import Entry
from tacit.learners.made_from.added import AddedLearner
from tacit.workflows.planning.goal import Goal

EVERYBODY = tuple(CATALOGUE)
CONTENDERS = tuple(name for name, entry in CATALOGUE.items() if entry.contends)
"""Of which one needs the fewest rows, whatever the goal."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One learner, with the rows it needs and what it then promises, if what it assumes holds."""

    name: str
    n: int
    goal: Goal
    proper: bool
    theorem: str
    assumes: str

    @property
    def decides(self) -> bool:
        """Whether it counts for the answer, as what it assumes was asked for."""
        return named(self.name).decides


def asked(name: str, goal: Goal) -> Answer:
    """Ask a learner how many rows it needs for a goal."""
    entry = named(name)
    return (
        Answer(entry)
        if goal.proper and not entry.proper
        else _told(entry, replace(goal, proper=False))
    )


@lru_cache(maxsize=1 << 12)
def _told(entry: Entry, goal: Goal) -> Answer:
    """Ask once: advice, curves and tables ask for the same goal again."""
    found = answer(entry, goal.request, goal.accuracy)
    if goal.neighbours is Neighbours.REPLACED or found.learner is None:
        return found
    try:
        return found._replace(n=AddedLearner(found.learner, 0).sample_size(goal.accuracy))
    except InvalidArgument:
        return Answer(entry)


def offered(answers: Iterable[Answer], goal: Goal) -> tuple[Offer, ...]:
    """Return the offers among the answers to a goal."""
    found = [
        Offer(a.entry.name, a.n, goal, a.learner.proper, a.learner.theorem, a.entry.assumes)
        for a in answers
        if a.learner is not None and not a.too_large
    ]
    return tuple(sorted(found, key=lambda offer: (offer.n, offer.name)))


def needs(name: str, goal: Goal) -> tuple[Offer, ...]:
    """Return what one learner needs, whatever it is beaten by, if it is for this goal at all."""
    return offered([asked(name, goal)], goal)


def offers_for(goal: Goal, among: Collection[str] = EVERYBODY) -> tuple[Offer, ...]:
    """Return what each learner of those named that is for this goal needs, cheapest first."""
    return offered((asked(name, goal) for name in among if ranked(CATALOGUE[name], goal)), goal)


def cheapest(goal: Goal, among: Collection[str] = CONTENDERS) -> Offer | None:
    """Return the learner that needs the fewest rows of those that assume nothing."""
    return next(iter(offers_for(goal, [name for name in among if CATALOGUE[name].contends])), None)


def suits(entry: Entry, goal: Goal) -> bool:
    """Whether a learner that is not made from others is for such a class, budget and labels."""
    allowed = entry.proper or not goal.proper
    return allowed and not entry.wrapper and entry.suits(goal.request)


def ranked(entry: Entry, goal: Goal) -> bool:
    """Whether a learner is ranked: not if it is beaten anyway, and slow to say by how much."""
    return not entry.wrapper and not (entry.slow and entry.beaten_by and goal.labels > 1)
