"""From a table to a model: check what is public, count, choose, and keep what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.budget import LEAST, read_best_error, read_budget, read_share
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.core.label_privacy import SAID
from tacit.core.numbers.exact import Exact
from tacit.core.unit import Neighbours, Unit, check_declared
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import Source
from tacit.data.schema.classes import class_for
from tacit.data.schema.plausible import check_plausible
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.learners.contract.model import Model
from tacit.learners.every_class import label_private
from tacit.learners.made_from.added import AddedLearner
from tacit.learners.made_from.weighted import read_odds, weighted
from tacit.workflows.charging import NO_LEDGER, Charge, Prepared, prepared, released
from tacit.workflows.choosing import usual_learner
from tacit.workflows.learned.public_number import of_public_number
from tacit.workflows.learned.question import AUTO, GENERIC, ClassPlan, TableQuestion
from tacit.workflows.learned.secret_number import of_secret_number
from tacit.workflows.learned_rows import counted_rows, parties_of, public_rows
from tacit.workflows.measuring import groups_of
from tacit.workflows.naming import describe


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
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    rows: int | None = None,
    by: str | None = None,
    public: Source | None = None,
    public_labelled: bool = False,
    weights: Mapping[str, Exact] | None = None,
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
        stay with parties, or labels alone are protected. `by` names a column, of
        which `cuts` may say where it is cut: half of that epsilon measures groups of it.
        With `person`, columns that tell persons apart, all rows of one person are protected as one
        row is, and n counts persons: every person gives one row, drawn among theirs, or where
        nothing was asked of `alpha` and the learner is linear the mean of all of them.
        With `neighbours` "added" all that holds for a row, or person, that is added or removed; how
        many there are is then secret, and told for a twentieth of epsilon unless it is declared to
        be `rows`; what is held out is dealt by a coin each (docs/proofs/added.md).
        With `labels_only` features are public: epsilon-DP for replaced labels of one row, which
        protects the labels and not the features; the model's `privacy` is a `LabelPrivacy`, which
        no ledger takes.
        `public` is a table of rows that need no protection. Its features make a cover of the class;
        its labels, if it is `public_labelled`, are learned from too, and then nothing is promised.
        `weights` say of some labels how many false alarms a miss costs: public numbers, with which
        nothing is promised of the error.

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
    unit, places = Unit(person, neighbours), dict(cuts or {})
    check_declared(unit, rows)
    if unit.added and labels_only:
        raise InvalidArgument("labels are replaced (--labels-only), and not added: leave out one")
    columns = columns_of(schema, features, (*labels, *unit.person))
    edges, groups = groups_of(schema, by, None if by is None else places.pop(by, None), labels)
    read = columns if by is None or by in columns else (*columns, by)
    coding = Coding.of(schema, read, labels, cuts=places)
    odds = weights_of(coding.marks, weights or {})
    shown = public_rows(public, source, schema, columns, labels, places, labelled=public_labelled)
    if odds and (unit.added or labels_only):
        raise InvalidArgument(
            "weights (--weights) are for rows that are replaced, and protected as a whole: leave "
            "out --neighbours added and --labels-only, or the weights"
        )
    if unit.added and shown.n:
        raise InvalidArgument(
            "public rows (--public) are learned with where rows are replaced: leave out one of "
            "--public and --neighbours added"
        )
    check_plausible(schema, columns, labels)
    if labels_only and learner != AUTO:
        _check_protecting_labels(learner)
    plan = None
    if concepts != AUTO:
        found = class_for(concepts, schema, columns)
        name = (shown.usual or usual_learner(found, total)) if learner == AUTO else learner
        plan = ClassPlan(found, label_private.ENTRY if labels_only else named(name))
    if plan is None and learner != AUTO:
        raise InvalidArgument(
            f"learner {named(learner).name!r} (--learner) is for a class: name one (--class), or "
            "leave both out"
        )
    shown.check(plan and plan.entry, labels_only=labels_only, class_named=plan is not None)
    ask = partial(
        Request,
        privacy=total,
        alpha=asked,
        beta=beta,
        agnostic=agnostic,
        labels=len(coding.marks),
        outcomes=() if odds else coding.groups,  # weighed labels are learned one by one
        best_error=stated,
        labels_only=labels_only,
        public=shown.points,
    )
    if plan is not None:
        if plan.entry.by_party:
            ask = partial(ask, parties=parties_of(source))
        plan.entry.check(ask(plan.concepts, n=1))  # refused before the data is read
        if unit.added:
            AddedLearner(plan.entry(ask(plan.concepts, n=1)), 0)
        if odds:
            weighted(plan.entry(ask(plan.concepts, n=1)), odds)
    scorable = plan is not None and plan.entry.name == GENERIC and not shown.n and not odds
    scored = plan.concepts if plan is not None and scorable else None
    sample, share = counted_rows(
        source,
        coding,
        plan and plan.entry,
        scored,
        hold_out,
        unit,
        labels_only=labels_only,
        stays=not (shown.n or odds or groups),
    )
    if groups and not share:
        raise InvalidArgument("by (--by) measures rows that are held out: say --hold-out 0.2")
    question = TableQuestion(
        schema=schema,
        columns=tuple(columns),
        labels=tuple(labels),
        coding=coding,
        unit=unit,
        plan=plan,
        ask=ask,
        share=share,
        place=0 if by is None else read.index(by),
        edges=edges,
        groups=groups,
        public=shown,
        weights=odds,
    )
    made = (
        of_secret_number(question, sample, rows)
        if unit.added
        else of_public_number(question, sample)
    )
    return released(made, rng, charge, rehearsal)


def prepare(*table: Any, **asked: Any) -> Prepared[Model]:
    """Do all that `learn` does before it charges: check what is public, and count."""
    return prepared(learn, *table, **asked)


def weights_of(marks: Sequence[str], said: Mapping[str, Exact]) -> tuple[Fraction, ...]:
    """Return the weight of each label, 1 unless it is said; none if all are 1.

    >>> weights_of(["ill", "dead"], {"dead": 20})
    (Fraction(1, 1), Fraction(20, 1))
    """
    if unknown := [name for name in said if name not in marks]:
        raise InvalidArgument(
            f"weights (--weights) names {unknown[0]!r}, which is not learned: name one of "
            f"{', '.join(marks)}"
        )
    found = tuple(read_odds(said.get(mark, 1)) for mark in marks)
    return found if any(odds != 1 for odds in found) else ()


def columns_of(
    schema: Schema, features: Sequence[str] | None, labels: Sequence[str]
) -> Sequence[str]:
    """Return the features: those named, or all other columns that may have two values.

    If all that are named begin with a minus, they are left out of all others.

    >>> from tacit.data import Bits
    >>> columns_of(Schema(dict.fromkeys(["a", "b", "c", "d"], Bits())), ["-b"], ["d"])
    ('a', 'c')
    """
    left = {name[1:] for name in features or () if name[:1] == "-" and name not in schema}
    if features is not None and (not left or len(left) < len(features)):
        return features
    for name in left:
        schema[name]  # refuses a name that is not declared
    kept = (name for name in schema.names if name not in left and name not in labels)
    found = tuple(name for name in kept if schema[name].size > 1)
    if not found:
        raise InvalidArgument("the schema has no column but the labels: declare what to learn from")
    return found


def _check_protecting_labels(learner: str) -> None:
    """Refuse all but the learner for public features; what protects rows needs no such words."""
    if named(learner) is not label_private.ENTRY:
        raise InvalidArgument(
            f"learner {learner!r} protects whole rows, and so the labels: leave out --labels-only "
            f"(labels_only), or leave out --learner, which is {label_private.ENTRY.name} there"
        )
