"""Learners made from learners, by name: more sure, about the rows at hand, the best of several.

`boosted`, `empirical` and `selected` are made from the learners that need the fewest rows for what
is asked, as far as public numbers tell; `boosted(parity)` or `selected(generic, prior)` say which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import family_of
from tacit.core import Accuracy, InvalidArgument, least
from tacit.core.numbers.enclosures import log_lower
from tacit.learners.contract import Entry, Learner, MultiLearner, Request
from tacit.learners.contract.answer import answer
from tacit.learners.made_from.confidence_booster import ConfidenceBooster, root
from tacit.learners.made_from.empirical import EmpiricalLearner
from tacit.learners.made_from.selected import SelectedLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.mechanisms.resample import rows_needed

USUAL = Fraction(1, 10)
"""The alpha that a learner is chosen for where none is asked for."""
REPEATS = 4
CANDIDATES = 3
FAR = 4
"""A candidate that needs so many times the rows of the best one is not worth its block."""
HALF = Fraction(1, 2)
OWN_ROWS = "error means mistakes on the table's own rows"
Bases = Sequence[Entry]


def wrapped(catalogue: Mapping[str, Entry]) -> tuple[Entry, ...]:
    """Return the wrappers of a catalogue's learners: of those that others do not beat anyway.

    Those that are slow to say what they need are wrapped if named only.
    """
    bases = [
        entry
        for entry in catalogue.values()
        if entry.make and entry.pure and entry.contends and not entry.slow and not entry.public
    ]
    return (boosted(bases), empirical(bases), selected(bases, most=CANDIDATES))


def wrapping(name: str, catalogue: Mapping[str, Entry]) -> Entry | None:
    """Return the wrapper of named learners, such as `boosted(parity)`, or None for another name."""
    outer, bracket, inside = name.partition("(")
    if not bracket or outer not in WRAPPERS or not inside.endswith(")"):
        return None
    names = [part.strip() for part in inside[:-1].split(",")]
    bases = [catalogue[part] for part in names if part in catalogue and _one_table(catalogue[part])]
    whole = catalogue.get(names[0]) if outer == "empirical" and len(names) == 1 else None
    if whole is not None and whole.make_jointly and not whole.labels_only:
        return replace(_empirical_of_all(whole), name=name)
    if len(bases) < len(names):
        raise InvalidArgument(
            f"learner {name!r} must be made from learners of one label and table; "
            "see: tacit learn --list"
        )
    return replace(WRAPPERS[outer](bases), name=f"{outer}({', '.join(names)})")


def _one_table(entry: Entry) -> bool:
    """Whether tries on different rows fail independently: not if all are made from public rows."""
    alone = not entry.by_party and not entry.wrapper and not entry.public
    return entry.make is not None and alone


def boosted(bases: Bases) -> Entry:
    """Return the booster of the learner that needs the fewest rows: some blocks, and a choice."""

    def make(request: Request) -> ConfidenceBooster:
        near = _near(request, root(request.beta * HALF, REPEATS))
        base = _fewest(bases, near)[0]
        rows = _block(base, request, _goal(near), REPEATS)
        epsilon, alone = _choosing(request), request.alone and request.beta <= HALF
        return ConfidenceBooster(base, rows=rows, repeats=REPEATS, epsilon=epsilon, alone=alone)

    summary = f"the best of {REPEATS} tries on different rows, for a learner that may fail"
    return replace(_entry("boosted", summary, "FX14", bases, make), agnostic=False)


def empirical(bases: Bases) -> Entry:
    """Return the learner that needs the fewest rows, on rows drawn from the table in secret."""

    def make(request: Request) -> EmpiricalLearner[Any]:
        drawn = _drawable(request)
        # what is said of the best rule is not said of the table's own rows
        base = _fewest(bases, replace(request, best_error=None))[0]
        return EmpiricalLearner(base, drawn=drawn, rows=request.n, privacy=request.privacy)

    summary = "a learner on rows drawn in secret: a promise about the table's own rows"
    entry = _entry("empirical", summary, "BNS16", bases, make)
    return replace(entry, assumes="; ".join(filter(None, [OWN_ROWS, entry.assumes])))


def _empirical_of_all(base: Entry) -> Entry:
    """Return a learner of all labels together, on rows drawn from the table in secret."""

    def make(request: Request) -> EmpiricalLearner[Any]:
        drawn = _drawable(request)
        of = base(replace(request, n=drawn, best_error=None))
        return EmpiricalLearner(of, drawn=drawn, rows=request.n, privacy=request.privacy)

    own = "; ".join(filter(None, [OWN_ROWS, base.assumes]))
    return replace(base, make=None, make_jointly=make, assumes=own, wrapper=True)


def _drawable(request: Request) -> int:
    """Return how many rows may be drawn from those at hand for the price of the learner itself."""
    epsilon, n = request.privacy.epsilon, request.n
    return least(lambda more: rows_needed(epsilon, more + 1) > n, low=1)


def selected(bases: Bases, *, most: int | None = None) -> Entry:
    """Return the search among learners, or among the `most` that need the fewest rows."""

    def make(request: Request) -> SelectedLearner:
        near = _near(request, request.beta * HALF)
        tried = _fewest(bases, near)[:most] if most else [_one_label(base(near)) for base in bases]
        sizes = [_block(base, request, _goal(near), len(tried)) for base in tried]
        epsilon, alone = _choosing(request), request.alone and request.beta <= HALF
        return SelectedLearner(tried, sizes=sizes, epsilon=epsilon, alone=alone)

    summary = "the best of several learners, each tried on rows of its own"
    return _entry("selected", summary, "KLNRS11", bases, make)


WRAPPERS: dict[str, Callable[[Bases], Entry]] = {
    "boosted": boosted,
    "empirical": empirical,
    "selected": selected,
}


def _entry(
    name: str, summary: str, theorem: str, bases: Bases, make: Callable[[Request], Learner[Any]]
) -> Entry:
    families = dict.fromkeys(family for base in bases for family in base.families)
    return Entry(
        name=name,
        summary=summary,
        families=tuple(families) if all(base.families for base in bases) else (),
        pure=all(base.pure for base in bases),
        proper=all(base.proper for base in bases),
        agnostic=any(base.agnostic for base in bases),
        theorem=theorem,
        assumes="; ".join(dict.fromkeys(base.assumes for base in bases if base.assumes)),
        beaten_by="what it is made from",
        make=make,
        wrapper=True,
    )


def _goal(request: Request) -> Accuracy:
    return Accuracy(request.alpha or USUAL, request.beta)


def _near(request: Request, beta: Fraction) -> Request:
    """Return the request for half of alpha, the other half being left for the choice."""
    return replace(request, alpha=(request.alpha or USUAL) * HALF, beta=beta)


def _one_label(made: MultiLearner[Any] | None) -> Learner[Any]:
    assert isinstance(made, DirectSum)
    return made.learner


def _fewest(bases: Bases, request: Request) -> list[Learner[Any]]:
    """Return the learners that promise what is asked for with few rows, the fewest first."""
    answers = [answer(base, request, _goal(request)) for base in bases]
    able = sorted((a for a in answers if a.learner and not a.too_large), key=lambda a: a.n)
    if not able:
        family = family_of(request.concepts)
        raise InvalidArgument(
            f"no learner to choose from promises anything for {family}; name one, or see: "
            "tacit learn --list"
        )
    return [_one_label(each.learner) for each in able if each.n <= FAR * able[0].n]


def _block(base: Learner[Any], request: Request, goal: Accuracy, blocks: int) -> int:
    """Return as many rows as what is asked for needs; if nothing is, an equal part of all rows."""
    asked = request.alpha is not None
    rows = base.sample_size(goal) if asked else request.n // (blocks + 1)
    return max(1, rows if base.largest_sample is None else min(rows, base.largest_sample))


def _choosing(request: Request) -> Fraction:
    """Return what of epsilon helps to choose among hypotheses of half the error asked for."""
    epsilon = request.privacy.epsilon
    return epsilon if request.agnostic else min(epsilon, log_lower(Fraction(2)))
