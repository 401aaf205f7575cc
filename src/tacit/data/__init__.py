"""Frames and files in, counts out: the only importer of dataframe libraries.

What reads data is imported when it is first used, so that a schema costs no engine.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema

if TYPE_CHECKING:
    from tacit.data.reading.reduction import point_batches, read_points, reduce
    from tacit.data.schema.classes import class_for
    from tacit.data.spark.files import open_with_spark
    from tacit.data.spark.start import spark_session

__all__ = [
    "Bits",
    "Category",
    "Column",
    "Date",
    "Integer",
    "Real",
    "Schema",
    "class_for",
    "open_with_spark",
    "point_batches",
    "read_points",
    "reduce",
    "spark_session",
]

__getattr__ = on_demand(__name__)
