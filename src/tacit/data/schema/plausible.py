"""What in a schema is surely a mistake, so that no budget is spent on it: public reasons only."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.core.errors import InvalidArgument
from tacit.data.schema.outcome import Outcome
from tacit.data.schema.schema import Schema


def check_plausible(schema: Schema, features: Sequence[str], labels: Sequence[str]) -> None:
    """Refuse labels and features that have one value by declaration, whatever the table holds.

    >>> from tacit.data import Bits, Integer
    >>> check_plausible(Schema({"age": Integer(7, 7), "sick": Bits()}), ["age"], ["sick"])
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: feature 'age' has one value by declaration (integers from 7
    to 7), so no rule can use it; leave it out, or declare the values that it may have
    """
    for name in labels:
        Outcome.of(name, schema[name])
    for name in features:
        if schema[name].size < 2:
            raise InvalidArgument(
                f"feature {name!r} has one value by declaration ({schema[name].domain}), so no rule"
                " can use it; leave it out, or declare the values that it may have"
            )
