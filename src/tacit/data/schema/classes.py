"""The class to learn over some columns of a schema, sized by their declared values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass, family_of
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import FAMILIES, READERS, bounded, parse, unknown
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.errors import InvalidArgument
from tacit.data.schema.category import Category
from tacit.data.schema.rule_class import rules_over
from tacit.data.schema.schema import Schema


def class_for(
    concepts: ConceptClass[Any] | str, schema: Schema, features: Sequence[str]
) -> ConceptClass[Any]:
    """Return the class over these columns; a bare name such as "boxes" gets the columns' sizes.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "smoker": Bits()})
    >>> str(class_for("thresholds", schema, ["age"]))
    'thresholds(values=121, direction=both)'
    >>> class_for("rules(width=2)", schema, ["age", "smoker"]).size
    352
    """
    if not features:
        raise InvalidArgument("features must name at least one column")
    chosen = _read(concepts, schema, features) if isinstance(concepts, str) else bounded(concepts)
    family = family_of(chosen)
    if chosen.features != len(features):
        raise InvalidArgument(
            f"{family} is over {_many(chosen.features)} here, the features are {len(features)}: "
            f"name {_many(chosen.features)}, or choose another class, such as rules"
        )
    if other := chosen.instead:
        raise InvalidArgument(f"{family} over one column are {other}; choose the class {other}")
    sizes = [schema[name].size for name in features]
    if short := chosen.lacking(sizes):
        column, reads = short
        raise InvalidArgument(_no_room(chosen, features[column], sizes[column], reads))
    return chosen


def _read(text: str, schema: Schema, features: Sequence[str]) -> ConceptClass[Any]:
    name, opened, inside = (part.strip() for part in text.partition("("))
    if name == "rules" and not inside.startswith("{"):
        if opened and not inside.endswith(")"):
            raise InvalidArgument(f"class {text!r} lacks its closing bracket")
        return rules_over(schema, features, inside.removesuffix(")"))
    if name not in {*FAMILIES, *READERS}:
        raise unknown(name)
    if opened:
        return parse(text)
    columns = [schema[feature] for feature in features]
    sizes = [column.size for column in columns]
    try:
        family = FAMILIES.get(name, Finite)
        kinds = [isinstance(each, Category) for each in columns]
        if family is Scorecards:  # whose numbers may be missing, with points of their own
            nulls = [each.outside == "null" for each in columns]
            return bounded(Scorecards.over(sizes, kinds, nulls))
        return bounded(family.over(sizes, kinds))
    except InvalidArgument as error:
        raise InvalidArgument(f"{error} (the sizes come from the schema's columns)") from None


def _no_room(chosen: ConceptClass[Any], name: str, size: int, reads: int) -> str:
    """Say that the domain of a class lacks some code of a column."""
    family, has = family_of(chosen), f"column {name!r} has {size} values"
    if chosen.boolean:
        return (
            f"{family} are over yes/no columns, {has}: leave it out, or choose rules, which "
            "may speak of any column"
        )
    return (
        f"{has}, {family} as given reads only {reads}: choose a larger class, or give "
        "the column fewer values in the schema"
    )


def _many(columns: int) -> str:
    return "1 column" if columns == 1 else f"{columns} columns"
