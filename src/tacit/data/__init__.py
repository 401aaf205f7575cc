"""Frames and files in, counts out: the only importer of dataframe libraries.

What reads data is imported when it is first used, so that a schema costs no engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.data.bits import Bits
from tacit.data.category import Category
from tacit.data.columns import Column
from tacit.data.integer import Integer
from tacit.data.real import Real
from tacit.data.schema import Schema

if TYPE_CHECKING:
    from tacit.data.classes import class_for
    from tacit.data.learning import learn
    from tacit.data.naming import describe, expressions, features_of, query, rules
    from tacit.data.quantiles import Quantile, quantile
    from tacit.data.reduction import point_batches, read_points, reduce
    from tacit.data.sanitizing import sanitize
    from tacit.data.spark_files import open_with_spark
    from tacit.data.spark_start import spark_session
    from tacit.data.synthetic_table import SyntheticTable

__all__ = [
    "Bits",
    "Category",
    "Column",
    "Integer",
    "Quantile",
    "Real",
    "Schema",
    "SyntheticTable",
    "class_for",
    "describe",
    "expressions",
    "features_of",
    "learn",
    "open_with_spark",
    "point_batches",
    "quantile",
    "query",
    "read_points",
    "reduce",
    "rules",
    "sanitize",
    "spark_session",
]

_LATER = {
    "class_for": "classes",
    "describe": "naming",
    "expressions": "naming",
    "features_of": "naming",
    "learn": "learning",
    "open_with_spark": "spark_files",
    "point_batches": "reduction",
    "read_points": "reduction",
    "query": "naming",
    "reduce": "reduction",
    "Quantile": "quantiles",
    "quantile": "quantiles",
    "rules": "naming",
    "sanitize": "sanitizing",
    "spark_session": "spark_start",
    "SyntheticTable": "synthetic_table",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
