"""Scorecards by noisy gradient steps, each step a round of messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.core.cost import Added, ZeroConcentrated
from tacit.core.errors import InvalidArgument
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.learners.contract.seal import check_seal, sealed
from tacit.learners.linear.noisy_descent import FIRST, ONES
from tacit.workflows.learned.question import outcomes_told
from tacit.workflows.learning import columns_of
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.descent import Descent, Reached, rho_of
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.scorecard import label_bins, model_of, rows_of
from tacit.workflows.sites.question import SiteQuestion, Wanted, read_canonical

ROUNDS = 11
"""The first round, and ten gradients."""
FORMAT = "tacit-descent-1"


def ask(
    schema: Schema,
    *,
    whole: Mapping[str, str],
    labels: Sequence[str],
    features: Sequence[str] | None = None,
    cuts: Mapping[str, Sequence[str]] | None = None,
    rounds: int = ROUNDS,
    reached: Mapping[str, Any] | None = None,
    after: str | None = None,
) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask how often labels occur, and for moments; or, at what was `reached`, what all rows pull.

    `whole` is the budget of all rounds, and `after` the digest of the question before this one.
    """
    given: dict[str, Any] = {"features": list(columns_of(schema, features, labels))}
    given |= {"labels": list(labels), "rounds": rounds, "whole": dict(whole)}
    given |= {"cuts": {name: [*map(str, at)] for name, at in cuts.items()}} if cuts else {}
    given |= {} if reached is None else {"reached": reached, "after": after}
    descent = Descent.of(schema, given)
    if reached is not None:
        return given, [Wanted((), Fraction(1), descent.sums)]
    outcomes = descent.coding.outcomes
    bins, each = map(label_bins, outcomes), ONES / len(outcomes)
    counts = [Wanted((ColumnAxis(said),), each) for said in bins]
    return given, [*counts, Wanted((), FIRST * (1 - ONES), descent.sums)]


def rho(schema: Schema, given: Mapping[str, Any]) -> Fraction:
    """Return what this round may cost."""
    return Descent.of(schema, given).rho


def made(joined: JoinedTables) -> Model | dict[str, Any]:
    """Take a step; return what the next round is asked with, or after the last one the model."""
    question = joined.question
    descent = Descent.of(question.schema, question.given)
    reached, learner = descent.reached, descent.learner
    if reached is None:
        return _state(joined, _first(joined, descent))
    starts, states = descent.starts, zip(reached.weights, reached.late, strict=True)
    moved = learner.moved(list(states), joined.sums[0], starts, reached.step)
    secure = reached.secure and joined.secure
    if reached.step + 1 < descent.steps:
        weights, late = zip(*moved, strict=True)
        after: Any = {"step": reached.step + 1, "secure": secure, "weights": weights, "late": late}
        return _state(joined, replace(reached, **after))
    paid = ZeroConcentrated(rho_of(descent.whole))
    return model_of(
        joined,
        Added(paid) if question.unit.added else paid,
        concepts=learner.concepts,
        outputs=learner.concepts,
        features=descent.features,
        labels=descent.coding.marks,
        hypotheses=learner.cards(moved, starts),
        learner=learner.name,
        outcomes=outcomes_told(descent.coding),
        n=reached.n,
        secure=secure,
    )


def read_state(text: str) -> dict[str, Any]:
    """Read the file of what `made` returned before the last round; its digest tells damage."""
    state = read_canonical(text, "state of a descent")
    if state.get("format") != FORMAT:
        raise InvalidArgument("not the state of a descent, as tacit join writes it between rounds")
    check_seal(state)
    return state  # type: ignore[no-any-return]


def told_whole(question: SiteQuestion) -> str | None:
    """Say what all rounds of a question cost together, or nothing where it is the only one."""
    whole = question.given.get("whole")
    if whole is None:
        return None
    price = f"ε = {float(Fraction(whole['epsilon'])):g}, δ = {float(Fraction(whole['delta'])):g}"
    rounds = question.given["rounds"]
    return f"All {rounds} rounds together cost {price}, by a ledger of --accounting concentrated."


def _first(joined: JoinedTables, descent: Descent) -> Reached:
    """Start all descents after what the first round told."""
    yes, places = list[int](), enumerate(descent.coding.outcomes)
    for place, outcome in places:
        bins, cells = label_bins(outcome), joined.cells(place)
        marks = outcome.marked(np.array(bins.edges or range(bins.size), dtype=np.int64))
        yes += [int(cells[mark].sum()) for mark in marks.T]
    many, nothing = len(yes), (0,) * (1 + descent.learner.concepts.dims)
    about: Any = {"houses": len(joined.sites), "n": rows_of(joined), "secure": joined.secure}
    none: Any = {"step": 0, "weights": (nothing,) * many, "late": (nothing,) * many}
    start = Reached(**about, yes=tuple(yes), moments=joined.sums[-1], **none)
    given = {**joined.question.given, "reached": start.encode()}
    begun = Descent.of(joined.question.schema, given).starts.begun
    return replace(start, weights=tuple(each.weights for each in begun))


def _state(joined: JoinedTables, reached: Reached) -> dict[str, Any]:
    """Return all that the next question is asked with."""
    question = joined.question
    told = {"format": FORMAT, "round": question.round, "sites": list(joined.sites)}
    told |= {"unit": question.unit.encode(), "schema": question.schema.dump()}
    given = {**question.given, "reached": reached.encode(), "after": question.digest}
    return sealed(told | {"given": given})
