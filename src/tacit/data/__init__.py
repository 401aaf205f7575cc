"""Frames and files in, counts out: the only importer of dataframe libraries.

What reads data is imported when it is first used, so that a schema costs no engine.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand
from tacit.data.schema.bits import Bits as Bits
from tacit.data.schema.category import Category as Category
from tacit.data.schema.columns import Column as Column
from tacit.data.schema.date import Date as Date
from tacit.data.schema.integer import Integer as Integer
from tacit.data.schema.real import Real as Real
from tacit.data.schema.schema import Schema as Schema

if TYPE_CHECKING:
    from tacit.data.reading.reduction import point_batches as point_batches
    from tacit.data.reading.reduction import read_points as read_points
    from tacit.data.reading.reduction import reduce as reduce
    from tacit.data.schema.classes import class_for as class_for
    from tacit.data.spark.files import open_with_spark as open_with_spark
    from tacit.data.spark.start import spark_session as spark_session

__getattr__ = on_demand(__name__)
