"""From a table to a model: check what is public, count, choose, and keep what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flint import fmpz

from tacit import __version__
from tacit.concepts.boxes import Boxes
from tacit.concepts.concept_class import ConceptClass
from tacit.concepts.specification import parse
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.randomness import Random
from tacit.data.reduction import reduce, reduce_jointly
from tacit.data.schema import Schema
from tacit.data.source import Source
from tacit.learners.catalogue import named
from tacit.learners.listing import Request
from tacit.learners.model import Model

WIDTH = 3


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
    rng: Random,
) -> Model:
    """Learn one hypothesis for each label of a table, all from one budget.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table. Everything that can be refused is
        refused for public reasons: names, domains, the number of rows. If `alpha` is given and the
        rows are too few to promise it with probability 1 - beta, nothing is drawn.

    >>> from tacit.core.randomness import Seeded
    >>> from tacit.data import Bits, Integer, rules
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
    >>> model = learn(people, schema, concepts="thresholds", features=["age"], labels=["sick"],
    ...               epsilon=1, rng=Seeded(1))
    >>> rules(model), model.privacy, model.secure
    (['age is at least 65'], Privacy(epsilon=Fraction(1, 1), delta=Fraction(0, 1)), False)
    """
    if not labels:
        raise InvalidArgument("labels must name at least one column")
    total, listing = Privacy(check.positive(epsilon=epsilon), delta), named(learner)
    chosen = class_for(concepts, schema, features)
    beta = check.probability(beta=beta)
    asked = None if alpha is None else check.probability(alpha=alpha)
    request = Request(chosen, total, 1, asked, beta / len(labels), agnostic, len(labels))
    listing(request)  # what can be refused is refused before the data is read
    counted = reduce if listing.make_jointly is None else reduce_jointly
    sample: Any = counted(source, schema, features, labels)
    made = listing(replace(request, n=sample.n))
    if made.largest_sample is not None and sample.n > made.largest_sample:
        raise Refused(
            f"{chosen} can be scored on at most {made.largest_sample} rows, the table has "
            f"{sample.n}; choose a smaller class or fewer rows"
        )
    needed = 0 if asked is None else made.sample_size(Accuracy(asked, beta))
    if needed > sample.n:
        raise SampleTooSmall(needed=needed, got=sample.n, theorem=made.theorem)
    return Model(
        concepts=chosen,
        outputs=made.hypotheses,
        features=tuple(features),
        labels=tuple(labels),
        hypotheses=made(sample, rng=rng),
        n=sample.n,
        learner=listing.name,
        cost=made.cost,
        privacy=Privacy(price(made.cost, total.delta).privacy.epsilon, total.delta),
        accuracy=made.accuracy(sample.n, beta),
        agnostic=agnostic,
        secure=rng.secure,
        schema=schema.dump(),
        version=__version__,
    )


def class_for(
    concepts: ConceptClass[Any] | str, schema: Schema, features: Sequence[str]
) -> ConceptClass[Any]:
    """Return the class over these columns; a bare name such as "boxes" gets the columns' sizes.

    >>> from tacit.data import Integer
    >>> str(class_for("thresholds", Schema({"age": Integer(0, 120)}), ["age"]))
    'thresholds(bits=7, direction=both)'
    """
    if not features:
        raise InvalidArgument("features must name at least one column")
    columns = [schema[name] for name in features]
    if isinstance(concepts, str):
        bare = concepts.strip().isidentifier()
        concepts = parse(_sized(concepts.strip(), columns) if bare else concepts)
    if concepts.features != len(features):
        raise InvalidArgument(
            f"{concepts} is over {concepts.features} columns, got {len(features)}"
        )
    if isinstance(concepts, Boxes) and concepts.dims == 1:
        raise InvalidArgument("boxes over one column are intervals; choose the class intervals")
    side = int(fmpz(concepts.domain_size).root(len(features)))
    for name, column in zip(features, columns, strict=True):
        if column.size > side:
            raise InvalidArgument(
                f"column {name!r} has {column.size} values, {concepts} reads only {side}; "
                f"choose a larger class, or write {str(concepts).partition('(')[0]} alone"
            )
    return concepts


def _sized(name: str, columns: Sequence[Any]) -> str:
    bits, dims = max(column.bits for column in columns), len(columns)
    sizes = {
        "points": f"bits={bits}",
        "thresholds": f"bits={bits}, direction=both",
        "intervals": f"bits={bits}",
        "boxes": f"bits={bits}, dims={dims}",
        "halfspaces": f"bits={bits}, dims={dims}",
        "balls": f"bits={bits}, dims={dims}",
        "parities": f"dims={dims}",
        "conjunctions": f"dims={dims}, width={min(WIDTH, dims)}",
    }
    if name not in sizes:
        raise InvalidArgument(f"class {name!r} needs its sizes; known alone are {', '.join(sizes)}")
    return f"{name}({sizes[name]})"
