"""One flow a verb, for every interface: check what is public, count, rehearse, charge, draw.

What reads data is imported when it is first used, so that help and plans cost no engine.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.workflows.converting import convert
    from tacit.workflows.counting.answers import TableAnswers, TableNumber
    from tacit.workflows.counting.count import count
    from tacit.workflows.learning import learn
    from tacit.workflows.measuring import Measured, measure
    from tacit.workflows.naming import (
        describe,
        expressions,
        features_of,
        model_text,
        query,
        rules,
    )
    from tacit.workflows.optimising import Optimised, optimise
    from tacit.workflows.planning.plan import plan
    from tacit.workflows.predicting import predict, predictions
    from tacit.workflows.quantiles import Quantile, quantile
    from tacit.workflows.sanitizing import sanitize
    from tacit.workflows.synthetic_table import SyntheticTable

__all__ = [
    "Measured",
    "Optimised",
    "Quantile",
    "SyntheticTable",
    "TableAnswers",
    "TableNumber",
    "convert",
    "count",
    "describe",
    "expressions",
    "features_of",
    "learn",
    "measure",
    "model_text",
    "optimise",
    "plan",
    "predict",
    "predictions",
    "quantile",
    "query",
    "rules",
    "sanitize",
]

__getattr__ = on_demand(__name__)
