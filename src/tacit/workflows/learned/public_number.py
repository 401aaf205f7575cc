"""Learning where how many rows there are is public."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from tacit.concepts.contract.concept_class import Concept, ConceptClass, family_of
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.contract.model import Model
from tacit.learners.every_class.label_private import LabelPrivateLearner
from tacit.learners.made_from.by_person import WEIGHT, ByPerson, weighs
from tacit.learners.made_from.measured import Found, MeasuredLearner, held_out
from tacit.learners.made_from.weighted import weighted
from tacit.mechanisms.measuring.group_measurement import pooled
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows.charging import Prepared
from tacit.workflows.learned.question import GENERIC, TableQuestion


def of_public_number(question: TableQuestion, sample: Any) -> Prepared[Model]:
    """Choose what learns from so many rows, of which some are held out, and what it promises."""
    if not sample.n:
        raise InvalidArgument("the table has no rows; there is nothing to learn from")
    held = held_out(sample.n, question.share)
    rows, unit = sample.n - held, question.unit
    if question.groups and not held:
        raise InvalidArgument("by (--by) measures rows that are held out: say --hold-out 0.2")
    total = question.ask(None, n=rows).privacy
    many = rows + question.public.learned_from
    plan = question.planned(many, total)
    sample = question.taken(plan, sample)
    request = question.ask(plan.concepts, n=many)
    made = question.public.added_to(weighted(plan.entry(request), question.weights))
    if made.largest_sample is not None and rows > made.largest_sample:
        raise Refused(_too_many(plan.concepts, made.largest_sample, rows))
    alpha, beta = request.alpha, request.beta
    weight = WEIGHT if unit.person and alpha is None and weighs(made, rows) else 1
    sharpens = held > 0 and request.agnostic and request.best_error is None
    sharpens = sharpens and plan.entry.name == GENERIC and not question.public.n
    unsure = beta / 2 if sharpens else beta  # what was measured may be wrong with the other half
    needed = 0 if alpha is None else made.sample_size(Accuracy(alpha, unsure))
    if needed > rows:
        raise SampleTooSmall(needed=needed, got=rows, theorem=made.theorem)
    learning = ByPerson(made, weight) if unit.person else made
    grouped: dict[str, Any] = {"place": question.place, "edges": question.edges}
    measured = MeasuredLearner.within(learning, total, rows=held, **grouped) if held else learning
    promised = made.accuracy(rows, unsure) if weight == 1 else None
    blank = question.blank(
        plan,
        made.hypotheses,
        request,
        n=sample.n,
        **_paid(made if request.labels_only else measured, total),
        accuracy=_stating(promised, beta),
        weight=weight,
    )
    told: Callable[[Model, Any], Model] = _filled
    if held:
        known = partial(_sharpened, plan.entry, request) if sharpens else _as_it_is
        told = partial(_measured, known)
    purpose = question.purpose(plan.concepts)
    return Prepared(sample, question.coding.sizes, measured, blank, told, purpose)


def _paid(made: MultiLearner[Any] | ByPerson | MeasuredLearner, total: Privacy) -> dict[str, Any]:
    """Return what a learner costs, and what that promises: rows, or labels only."""
    if isinstance(made, LabelPrivateLearner):
        return {"cost": None, "privacy": made.privacy}
    spent = price(made.cost, total.delta).privacy.epsilon
    return {"cost": made.cost, "privacy": Privacy(spent, total.delta)}


def _filled(blank: Model, hypotheses: tuple[Concept, ...]) -> Model:
    return replace(blank, hypotheses=hypotheses)


def _measured(
    sharpen: Callable[[Accuracy | None, tuple[Reading, ...]], Accuracy | None],
    blank: Model,
    found: Found,
) -> Model:
    hypotheses, told = found
    told, grouped = told if blank.groups else (told, ())
    promised = sharpen(blank.accuracy, told)
    return replace(
        blank, hypotheses=hypotheses, measured=told, grouped=pooled(grouped), accuracy=promised
    )


def _as_it_is(promised: Accuracy | None, told: object) -> Accuracy | None:  # noqa: ARG001
    return promised


def _sharpened(
    entry: Entry, request: Request, promised: Accuracy | None, told: tuple[Reading, ...]
) -> Accuracy | None:
    """Return the promise, or a smaller one if the measured error allows it: the best errs no more.

    Half of beta is for what was measured, half for learning; proof in docs/proofs/measurement.md.
    For the generic learner alone: what is stated changes its promise, and not the learner.
    """
    half = request.beta / 2
    confidence = 1 - half / len(told)
    most = max(check.exact(high=each.error_interval(confidence).high) for each in told)
    if promised is None or not 0 < most < Fraction(1, 2):
        return promised
    made = entry(replace(request, best_error=most))
    known = _stating(made.accuracy(request.n, half), request.beta)
    return promised if known is None else min(promised, known, key=lambda each: each.alpha)


def _stating(accuracy: Accuracy | None, beta: Fraction) -> Accuracy | None:
    """Return the promise of an error, stated to fail with probability beta."""
    return None if accuracy is None else Accuracy(accuracy.alpha, beta)


def _too_many(chosen: ConceptClass[Any], most: int, n: int) -> str:
    """Say that a class cannot be scored on so many rows, and which learners do without scores."""
    family = family_of(chosen)
    others = [each.name for each in CATALOGUE.values() if family in each.families]
    learners = f"choose another learner ({', '.join(others)}), " if others else ""
    many = f"can be scored on at most {most} rows, the table has {n}" if most else "are too many"
    return (
        f"{family} over these columns {many}: {learners}give the columns fewer values "
        'in the schema (type = "real" with a larger step), or choose the class rules'
    )
