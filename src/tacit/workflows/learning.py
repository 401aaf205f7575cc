"""From a table to a model: check what is public, count, choose, and keep what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass, family_of
from tacit.core.accuracy import Accuracy
from tacit.core.budget import LEAST, read_budget, read_share
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random, is_secure
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.version import __version__
from tacit.data.reading.parties import reduce_by_party, tables_of
from tacit.data.reading.reduction import reduce, reduce_jointly, score
from tacit.data.reading.source import Source
from tacit.data.schema.classes import class_for
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.entry import Request
from tacit.learners.contract.model import Model
from tacit.learners.contract.multi_learner import MultiLearner
from tacit.workflows.charging import Charge, released
from tacit.workflows.made_up import made_up
from tacit.workflows.naming import describe


@dataclass(frozen=True, slots=True)
class Lesson:
    """A table that is counted, and all that can be refused checked: what is left is to draw.

    `blank` is the model but for its hypotheses and its coins. `law` is the exact law of what a draw
    lets out: so an audit runs the code that users run, from the path of a file on.
    """

    statistic: Any = field(repr=False)
    learner: MultiLearner[Any]
    blank: Model

    @property
    def cost(self) -> Cost:
        """What a draw costs."""
        return self.blank.cost

    @property
    def privacy(self) -> Privacy:
        """The cost as one epsilon and delta."""
        return self.blank.privacy

    @property
    def purpose(self) -> str:
        """What is learned from what, for a ledger."""
        asked = self.blank
        return f"{asked.concepts}: {', '.join(asked.labels)} from {', '.join(asked.features)}"

    def __call__(self, *, rng: Random) -> Model:
        """Draw the hypotheses."""
        return replace(
            self.blank, hypotheses=self.learner(self.statistic, rng=rng), secure=is_secure(rng)
        )

    def law(self) -> Law[Model]:
        """Return the exact law of the model."""
        drawn: Law[Any] = self.learner.law(self.statistic)
        return drawn.map(lambda each: replace(self.blank, hypotheses=each))

    def made_up(self) -> Lesson:
        """Return the same with rows that are made up."""
        schema = Schema.parse(self.blank.schema)
        sizes = [schema[name].size for name in self.blank.features]
        return replace(self, statistic=made_up(self.statistic, sizes))


def learn(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str,
    features: Sequence[str],
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = "generic",
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
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
        rows are too few to promise it with probability 1 - beta, nothing is drawn. With `charge`,
        such as `Ledger.charging` gives, nothing is drawn before the cost is on the ledger, and
        nothing is charged before `rehearsal` was told a model that was learned from made-up rows.

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
    lesson = prepare(
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
    )
    return released(lesson, rng, charge, rehearsal)


def prepare(
    source: Source,
    schema: Schema,
    *,
    concepts: ConceptClass[Any] | str,
    features: Sequence[str],
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    learner: str = "generic",
    agnostic: bool = True,
    alpha: Exact | None = None,
    beta: Exact = "0.05",
) -> Lesson:
    """Do all that `learn` does before it charges: check what is public, and count."""
    _check_names(features, labels)
    total, listing = read_budget(epsilon, delta), named(learner)
    chosen = class_for(concepts, schema, features)
    beta = read_share(beta=beta)
    asked = None if alpha is None else read_share(LEAST, alpha=alpha)
    request = Request(chosen, total, 1, asked, beta, agnostic, len(labels))
    request = replace(request, parties=tables_of(source)) if listing.by_party else request
    listing(request)  # what can be refused is refused before the data is read
    counted: Any = reduce if listing.make_jointly is None else reduce_jointly
    counted = reduce_by_party if listing.by_party else counted
    scored = score(source, schema, features, labels, chosen) if learner == "generic" else None
    sample: Any = scored or counted(source, schema, features, labels)
    if not sample.n:
        raise InvalidArgument("the table has no rows; there is nothing to learn from")
    made = listing(replace(request, n=sample.n))
    if made.largest_sample is not None and sample.n > made.largest_sample:
        raise Refused(_too_many(chosen, made.largest_sample, sample.n))
    needed = 0 if asked is None else made.sample_size(Accuracy(asked, beta))
    if needed > sample.n:
        raise SampleTooSmall(needed=needed, got=sample.n, theorem=made.theorem)
    blank = Model(
        concepts=chosen,
        outputs=made.hypotheses,
        features=tuple(features),
        labels=tuple(labels),
        hypotheses=(),
        n=sample.n,
        learner=listing.name,
        cost=made.cost,
        privacy=Privacy(price(made.cost, total.delta).privacy.epsilon, total.delta),
        accuracy=made.accuracy(sample.n, beta),
        agnostic=agnostic,
        secure=False,
        schema=schema.dump(),
        version=__version__,
    )
    return Lesson(sample, made, blank)


def _too_many(chosen: ConceptClass[Any], most: int, n: int) -> str:
    """Say that a class cannot be scored on so many rows, and which learners do without scores."""
    family = family_of(chosen)
    others = [each.name for each in CATALOGUE.values() if family in each.families]
    learners = f"choose another learner ({', '.join(others)}), " if others else ""
    return (
        f"{family} over these columns can be scored on at most {most} rows, the table has {n}: "
        f"{learners}give the columns fewer values in the schema "
        '(type = "real" with a larger step), or choose the class rules'
    )


def _check_names(features: Sequence[str], labels: Sequence[str]) -> None:
    for role, names in (("features", features), ("labels", labels)):
        if isinstance(names, str):
            raise InvalidArgument(f"{role} must be a list of columns; write [{names!r}]")
        if not names:
            raise InvalidArgument(f"{role} must name at least one column")
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise InvalidArgument(f"{role} must name each column once; {twice[0]!r} comes twice")
    known = set(features)
    if shared := [name for name in labels if name in known]:
        raise InvalidArgument(f"{shared[0]!r} is a label; it cannot be a feature too")
