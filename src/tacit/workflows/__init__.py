"""One flow a verb: check what is public, count, charge, draw; every interface calls these.

What reads data is imported when it is first used, so that help and plans cost no engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.workflows.learning import learn
    from tacit.workflows.naming import (
        describe,
        expressions,
        features_of,
        model_text,
        query,
        rules,
    )
    from tacit.workflows.planning.plan import plan
    from tacit.workflows.quantiles import Quantile, quantile
    from tacit.workflows.sanitizing import sanitize
    from tacit.workflows.synthetic_table import SyntheticTable

__all__ = [
    "Quantile",
    "SyntheticTable",
    "describe",
    "expressions",
    "features_of",
    "learn",
    "model_text",
    "plan",
    "quantile",
    "query",
    "rules",
    "sanitize",
]

_LATER = {
    "Quantile": "quantiles",
    "SyntheticTable": "synthetic_table",
    "describe": "naming",
    "expressions": "naming",
    "features_of": "naming",
    "learn": "learning",
    "model_text": "naming",
    "plan": "planning.plan",
    "quantile": "quantiles",
    "query": "naming",
    "rules": "naming",
    "sanitize": "sanitizing",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
