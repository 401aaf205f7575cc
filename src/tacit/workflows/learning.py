"""From a table to a model: check what is public, count, choose, and keep what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tacit.concepts.contract.concept_class import Concept, ConceptClass, family_of
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.budget import LEAST, read_best_error, read_budget, read_share
from tacit.core.chance.randomness import Random
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.label_privacy import SAID
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.version import __version__
from tacit.data.reading.coding import Coding
from tacit.data.reading.files import find_files
from tacit.data.reading.reduction import open_table, sample_of, scored_in_place
from tacit.data.reading.source import Source
from tacit.data.schema.classes import class_for
from tacit.data.schema.plausible import check_plausible
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.contract.model import Model
from tacit.learners.every_class import label_private
from tacit.learners.every_class.label_private import LabelPrivateLearner
from tacit.learners.made_from.measured import Found, MeasuredLearner, held_out
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows.charging import NO_LEDGER, Charge, Prepared, released
from tacit.workflows.choosing import choose, usual_learner
from tacit.workflows.naming import describe

GENERIC = "generic"
"""The learner that takes scores in place of rows, where rows are scored by their own engine, and
whose promise a stated best error sharpens."""
AUTO = "auto"
"""The class, or the learner, that is chosen."""
USUAL = Fraction(1, 5)
"""The share of the rows that is held out, if nothing else is said."""
NOT_HELD_OUT = (
    "no rows can be held out (--hold-out) of several parties' tables, or where labels alone are "
    "protected: say --hold-out 0, and measure the model on other rows (tacit measure)"
)
"""Why some releases are not measured, and the way out."""


def learn(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str = AUTO,
    features: Sequence[str] | None = None,
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = AUTO,
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
    best_error: Exact | None = None,
    labels_only: bool = False,
    hold_out: Exact | None = 0,
    cuts: Mapping[str, Sequence[Any]] | None = None,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Model], object] = describe,
) -> Model:
    """Learn one hypothesis for each label of a table, all from one budget.

    Where no class is named, class and learner are chosen by public numbers alone (`choosing.py`);
    where no features are, all other columns are. A label may be yes or no, one of several
    categories, which are learned one by one, or a number, learned at `cuts` or at round values.
    Coins are the operating system's, unless `rng` is given. A learner for several parties takes a
    list of sources, one for each.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table. Everything that can be refused is
        refused for public reasons: names, domains, the number of rows. If `alpha` is given and the
        rows are too few to promise it with probability 1 - beta, nothing is drawn. With
        `best_error`, what is promised holds if no label's best rule errs more. With `charge`,
        such as `Ledger.charging` gives, nothing is drawn before the cost is on the ledger, and
        nothing is charged before `rehearsal` was told a model that was learned from made-up rows.
        A share `hold_out` of the rows, dealt by coin, is not learned from and measures what was,
        for the same epsilon: a row is in one part. None holds out a fifth, and nothing where rows
        stay with parties or on a cluster, or labels alone are protected.
        With `labels_only` features are public: epsilon-DP for replaced labels of one row, which
        protects the labels and not the features; the model's `privacy` is a `LabelPrivacy`, which
        no ledger takes.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Integer
    >>> from tacit.workflows import rules
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
    >>> model = learn(people, schema, concepts="thresholds", features=["age"], labels=["sick"],
    ...               epsilon=1, rng=Seeded(1))
    >>> rules(model), model.privacy, model.secure
    (['age is at least 65'], Privacy(epsilon=Fraction(1, 1), delta=Fraction(0, 1)), False)
    """
    if labels_only and charge is not None:
        raise InvalidArgument(NO_LEDGER)
    prepared = prepare(
        source,
        schema,
        concepts=concepts,
        features=features,
        labels=labels,
        epsilon=epsilon,
        delta=delta,
        learner=learner,
        agnostic=agnostic,
        alpha=alpha,
        beta=beta,
        best_error=best_error,
        labels_only=labels_only,
        hold_out=hold_out,
        cuts=cuts,
    )
    return released(prepared, rng, charge, rehearsal)


def prepare(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str = AUTO,
    features: Sequence[str] | None = None,
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = AUTO,
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
    best_error: Exact | None = None,
    labels_only: bool = False,
    hold_out: Exact | None = 0,
    cuts: Mapping[str, Sequence[Any]] | None = None,
) -> Prepared[Model]:
    """Do all that `learn` does before it charges: check what is public, and count."""
    total, beta = read_budget(epsilon, delta), read_share(beta=beta)
    asked = None if alpha is None else read_share(LEAST, alpha=alpha)
    stated = None if best_error is None else read_best_error(best_error)
    if labels_only and total.delta:
        raise InvalidArgument(f"--labels-only is pure ({SAID}): leave out --delta")
    if stated is not None and not agnostic:
        raise InvalidArgument(
            "best_error (--best-error) is for labels that no rule explains: leave out one of it "
            "and agnostic=False (--realisable)"
        )
    columns = columns_of(schema, features, labels)
    coding = Coding.of(schema, columns, labels, cuts=cuts)
    check_plausible(schema, columns, labels)
    if labels_only and learner != AUTO:
        _protecting_labels(learner)
    plan = None
    if concepts != AUTO:
        found = class_for(concepts, schema, columns)
        name = usual_learner(found, total) if learner == AUTO else learner
        plan = _Plan(found, _protecting_labels(name) if labels_only else named(name))
    if plan is None and learner != AUTO:
        raise InvalidArgument(
            f"learner {named(learner).name!r} (--learner) is for a class: name one (--class), or "
            "leave both out"
        )
    ask = partial(
        Request,
        privacy=total,
        alpha=asked,
        beta=beta,
        agnostic=agnostic,
        labels=len(coding.marks),
        best_error=stated,
        labels_only=labels_only,
    )
    if plan is not None:
        if plan.entry.by_party:
            ask = partial(ask, parties=_parties(source))
        plan.entry.check(ask(plan.concepts, n=1))  # refused before the data is read
    sample, share = _counted(source, coding, plan, hold_out, labels_only=labels_only)
    if not sample.n:
        raise InvalidArgument("the table has no rows; there is nothing to learn from")
    held = held_out(sample.n, share)
    rows = sample.n - held
    if plan is None:
        plan = _chosen(schema, coding, rows, total, labels_only=labels_only)
    request = ask(plan.concepts, n=rows)
    made = plan.entry(request)
    if made.largest_sample is not None and rows > made.largest_sample:
        raise Refused(_too_many(plan.concepts, made.largest_sample, rows))
    sharpens = held > 0 and agnostic and stated is None and plan.entry.name == GENERIC
    unsure = beta / 2 if sharpens else beta  # what was measured may be wrong with the other half
    needed = 0 if asked is None else made.sample_size(Accuracy(asked, unsure))
    if needed > rows:
        raise SampleTooSmall(needed=needed, got=rows, theorem=made.theorem)
    measured: MultiLearner[Any] | MeasuredLearner = made
    if held:
        measured = MeasuredLearner.within(made, total, rows=held)
    blank = Model(
        concepts=plan.concepts,
        outputs=made.hypotheses,
        features=tuple(columns),
        labels=coding.marks,
        hypotheses=(),
        n=sample.n,
        learner=plan.entry.name,
        **_paid(measured, total),
        accuracy=_stating(made.accuracy(rows, unsure), beta),
        agnostic=agnostic,
        secure=False,
        schema=schema.dump(),
        version=__version__,
        best_error=stated,
        outcomes=_outcomes(coding),
        why=plan.why,
    )
    purpose = f"{plan.concepts}: {', '.join(labels)} from {', '.join(columns)}"
    told: Callable[[Model, Any], Model] = _filled
    if held:
        known = partial(_sharpened, plan.entry, request) if sharpens else _as_it_is
        told = partial(_measured, known)
    return Prepared(sample, coding.sizes, measured, blank, told, purpose)


class _Plan(NamedTuple):
    """What is learned, by whom, and why, where that was chosen."""

    concepts: ConceptClass[Any]
    entry: Entry
    why: str = ""


def _chosen(
    schema: Schema, coding: Coding, rows: int, total: Privacy, *, labels_only: bool
) -> _Plan:
    """Return what public numbers say is best."""
    columns = coding.names[: coding.features]
    best = choose(schema, columns, coding.marks, rows, total)
    entry = label_private.ENTRY if labels_only else named(best.learner)
    return _Plan(class_for(best.concepts, schema, columns), entry, best.why)


def columns_of(
    schema: Schema, features: Sequence[str] | None, labels: Sequence[str]
) -> Sequence[str]:
    """Return the features: those named, or all other columns that may have two values."""
    if features is not None:
        return features
    found = tuple(name for name in schema.names if name not in labels and schema[name].size > 1)
    if not found:
        raise InvalidArgument("the schema has no column but the labels: declare what to learn from")
    return found


def _counted(
    source: Source,
    coding: Coding,
    plan: _Plan | None,
    hold_out: Exact | None,
    *,
    labels_only: bool,
) -> tuple[Any, Fraction]:
    """Count the rows as they are learned from, and say which share of them is held out."""
    by_party = plan is not None and plan.entry.by_party
    share = USUAL if hold_out is None else _read_hold_out(hold_out)
    if by_party or labels_only:
        if hold_out:
            raise InvalidArgument(NOT_HELD_OUT)
        share = Fraction(0)
    opened = source if by_party else open_table(source, coding)
    scored = plan.concepts if plan is not None and plan.entry.name == GENERIC else None
    if hold_out is None and not by_party and scored_in_place(opened, coding, scored):
        share = Fraction(0)
    jointly = share > 0 or (plan is not None and plan.entry.make_jointly is not None)
    in_place = None if share else scored
    return sample_of(opened, coding, by_party=by_party, jointly=jointly, scored=in_place), share


def _outcomes(coding: Coding) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the label columns with their cuts, if some are no bits."""
    if all(outcome.kind == "bits" for outcome in coding.outcomes):
        return ()
    return tuple((outcome.name, outcome.cuts) for outcome in coding.outcomes)


def _protecting_labels(learner: str) -> Entry:
    """Return the learner for public features; what protects whole rows needs no such words."""
    if named(learner).name not in (GENERIC, label_private.ENTRY.name):
        raise InvalidArgument(
            f"learner {learner!r} protects whole rows, and so the labels: leave out --labels-only "
            "(labels_only), or leave out --learner"
        )
    return label_private.ENTRY


def _paid(made: MultiLearner[Any] | MeasuredLearner, total: Privacy) -> dict[str, Any]:
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
    promised = sharpen(blank.accuracy, told)
    return replace(blank, hypotheses=hypotheses, measured=told, accuracy=promised)


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


def _read_hold_out(hold_out: Exact) -> Fraction:
    share = check.exact(hold_out=hold_out)
    if not 0 <= share < 1:
        raise InvalidArgument(
            f"hold_out (--hold-out) must be at least 0 and below 1, got {float(share):g}; 0.2 "
            "measures on a fifth of the rows, 0 measures nothing"
        )
    return share


def _parties(source: Source) -> int:
    """Return how many tables a list of sources has, one for each party.

    >>> _parties([{"ill": [1]}, {"ill": [0, 1]}])
    2
    """
    if not isinstance(source, list | tuple) or len(source) < 2:
        raise InvalidArgument(
            "this learner takes one table from each party: give two files or more, one a party"
        )
    if len({id(table) for table in source}) < len(source):
        raise InvalidArgument("the same table was given for two parties; give each its own")
    paths = [table for table in source if isinstance(table, str | Path)]
    if len(paths) > 1:
        find_files(paths)  # refuses a file that is named twice
    return len(source)


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
