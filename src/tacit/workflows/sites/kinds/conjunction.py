"""Conjunctions by statistical queries, from the messages of several houses [BNO08].

A literal stays unless some yes violates it. How many do is a cell of its column by label, so what
is asked for a scorecard of bits is what the queries ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tacit.concepts import Conjunctions
from tacit.core import Accuracy, check
from tacit.core.errors import InvalidArgument
from tacit.data.schema.bits import Bits
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.learners.rules.parties import PartyCounts
from tacit.workflows.counting.bins import Bins
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.scorecard import model_of
from tacit.workflows.sites.question import Wanted


def ask(
    schema: Schema, *, labels: Sequence[str], features: Sequence[str], beta: str = "0.05"
) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask how many rows of either label have each column, which must be bits."""
    for name in (*labels, *features):
        if not isinstance(schema[name], Bits) or schema[name].size != 2:
            raise InvalidArgument(f"conjunctions are of bits, with outside clip; {name!r} is not")
    wanted = [
        Wanted((ColumnAxis(Bins(name, schema[name])), ColumnAxis(Bins(label, schema[label]))), _ONE)
        for label in labels
        for name in features
    ]
    read = check.probability(beta=beta)
    return {"features": [*features], "labels": [*labels], "beta": str(read)}, wanted


_ONE = Fraction(1)


def made(joined: JoinedTables) -> Model:
    """Keep the literals that no yes violates, as far as the noise of all houses lets one see."""
    question, given = joined.question, joined.question.given
    features, labels, beta = given["features"], given["labels"], Fraction(given["beta"])
    if joined.n is None or question.tables[0].gaussian or question.honest:
        raise InvalidArgument(
            "conjunctions are made of counts of a public number of rows, with each house's noise"
        )
    share = question.tables[0].share
    counts = PartyCounts(len(features), epsilon=len(features) * share, monotone=False)
    found, place, each = [], 0, beta / len(labels)
    for _ in labels:
        held = [joined.cells(place + i) for i in range(len(features))]
        totals = [int(held[i][1 - value, 1]) for i, value in counts.algorithm.literals]
        found.append(counts.learn(totals, each, parties=len(joined.sites)))
        place += len(features)
    promised = counts.accuracy(joined.n, each, parties=len(joined.sites))
    return model_of(
        joined,
        concepts=Conjunctions(len(features), len(features)),
        outputs=counts.algorithm.hypotheses,
        features=tuple(features),
        labels=tuple(labels),
        hypotheses=tuple(found),
        learner="parties",
        accuracy=promised and Accuracy(promised.alpha, beta),
        agnostic=False,
    )
