"""From a table to a model: check what is public, count, choose, and keep what it cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tacit.concepts.contract.concept_class import Concept, ConceptClass, family_of
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
from tacit.data.reading.reduction import sample_of
from tacit.data.reading.source import Source
from tacit.data.schema.classes import class_for
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.contract.model import Model
from tacit.learners.every_class import label_private
from tacit.learners.every_class.label_private import LabelPrivateLearner
from tacit.workflows.charging import NO_LEDGER, Charge, Prepared, released
from tacit.workflows.naming import describe

GENERIC = "generic"
"""The learner that takes scores in place of rows, where rows are scored by their own engine."""


def learn(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str,
    features: Sequence[str],
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = GENERIC,
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
    best_error: Exact | None = None,
    labels_only: bool = False,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Model], object] = describe,
) -> Model:
    """Learn one hypothesis for each label of a table, all from one budget.

    Coins are the operating system's, unless `rng` is given. A learner for several parties takes a
    list of sources, one for each.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table. Everything that can be refused is
        refused for public reasons: names, domains, the number of rows. If `alpha` is given and the
        rows are too few to promise it with probability 1 - beta, nothing is drawn. With
        `best_error`, what is promised holds if no label's best rule errs more. With `charge`,
        such as `Ledger.charging` gives, nothing is drawn before the cost is on the ledger, and
        nothing is charged before `rehearsal` was told a model that was learned from made-up rows.
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
    )
    return released(prepared, rng, charge, rehearsal)


def prepare(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str,
    features: Sequence[str],
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = GENERIC,
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
    best_error: Exact | None = None,
    labels_only: bool = False,
) -> Prepared[Model]:
    """Do all that `learn` does before it charges: check what is public, and count."""
    total, beta = read_budget(epsilon, delta), read_share(beta=beta)
    asked = None if alpha is None else read_share(LEAST, alpha=alpha)
    stated = None if best_error is None else read_best_error(best_error)
    if stated is not None and not agnostic:
        raise InvalidArgument(
            "best_error (--best-error) is for labels that no rule explains: leave out one of it "
            "and agnostic=False (--realisable)"
        )
    coding, text = Coding.of(schema, features, labels), schema.dump()
    sizes = coding.sizes
    chosen = class_for(concepts, schema, features)
    entry = _protecting_labels(learner, total) if labels_only else named(learner)
    request = Request(chosen, total, 1, asked, beta, agnostic, len(labels), best_error=stated)
    request = replace(request, labels_only=labels_only)
    request = replace(request, parties=_parties(source)) if entry.by_party else request
    entry.check(request)  # what it is not for is refused before the data is read
    sample = sample_of(
        source,
        coding,
        by_party=entry.by_party,
        jointly=entry.make_jointly is not None,
        scored=chosen if entry.name == GENERIC else None,
    )
    if not sample.n:
        raise InvalidArgument("the table has no rows; there is nothing to learn from")
    made = entry(replace(request, n=sample.n))
    if made.largest_sample is not None and sample.n > made.largest_sample:
        raise Refused(_too_many(chosen, made.largest_sample, sample.n))
    needed = 0 if asked is None else made.sample_size(Accuracy(asked, beta))
    if needed > sample.n:
        raise SampleTooSmall(needed=needed, got=sample.n, theorem=made.theorem)
    promised = made.accuracy(sample.n, beta)
    blank = Model(
        concepts=chosen,
        outputs=made.hypotheses,
        features=tuple(features),
        labels=tuple(labels),
        hypotheses=(),
        n=sample.n,
        learner=entry.name,
        **_paid(made, total),
        accuracy=promised,
        agnostic=agnostic,
        secure=False,
        schema=text,
        version=__version__,
        best_error=stated,
    )
    purpose = f"{chosen}: {', '.join(labels)} from {', '.join(features)}"
    return Prepared(sample, sizes, made, blank, _filled, purpose)


def _protecting_labels(learner: str, total: Privacy) -> Entry:
    """Return the learner for public features; what protects whole rows needs no such words."""
    if named(learner).name not in (GENERIC, label_private.ENTRY.name):
        raise InvalidArgument(
            f"learner {learner!r} protects whole rows, and so the labels: leave out --labels-only "
            "(labels_only), or leave out --learner"
        )
    if total.delta:
        raise InvalidArgument(f"--labels-only is pure ({SAID}): leave out --delta")
    return label_private.ENTRY


def _paid(made: MultiLearner[Any], total: Privacy) -> dict[str, Any]:
    """Return what a learner costs, and what that promises: rows, or labels only."""
    if isinstance(made, LabelPrivateLearner):
        return {"cost": None, "privacy": made.privacy}
    spent = price(made.cost, total.delta).privacy.epsilon
    return {"cost": made.cost, "privacy": Privacy(spent, total.delta)}


def _filled(blank: Model, hypotheses: tuple[Concept, ...]) -> Model:
    return replace(blank, hypotheses=hypotheses)


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
