"""One flow a verb, for every interface: check what is public, count, rehearse, charge, draw.

What reads data is imported when it is first used, so that help and plans cost no engine.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.workflows.converting import convert as convert
    from tacit.workflows.counting.answers import TableAnswers as TableAnswers
    from tacit.workflows.counting.answers import TableNumber as TableNumber
    from tacit.workflows.counting.count import count as count
    from tacit.workflows.learning import learn as learn
    from tacit.workflows.measuring import Measured as Measured
    from tacit.workflows.measuring import measure as measure
    from tacit.workflows.naming import describe as describe
    from tacit.workflows.naming import expressions as expressions
    from tacit.workflows.naming import features_of as features_of
    from tacit.workflows.naming import model_text as model_text
    from tacit.workflows.naming import query as query
    from tacit.workflows.naming import rules as rules
    from tacit.workflows.optimising import Optimised as Optimised
    from tacit.workflows.optimising import optimise as optimise
    from tacit.workflows.planning.plan import plan as plan
    from tacit.workflows.predicting import predict as predict
    from tacit.workflows.predicting import predictions as predictions
    from tacit.workflows.quantiles import Quantile as Quantile
    from tacit.workflows.quantiles import quantile as quantile
    from tacit.workflows.sanitizing import sanitize as sanitize
    from tacit.workflows.synthetic_table import SyntheticTable as SyntheticTable

__getattr__ = on_demand(__name__)
