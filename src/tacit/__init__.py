"""Differentially private PAC learning: exact, proved, and verified by enumeration.

What most people need is here, and imported when it is first used:

>>> import tacit
>>> schema = tacit.Schema({"age": tacit.Integer(18, 100), "sick": tacit.Bits()})
>>> tacit.plan("thresholds(bits=32)", alpha=0.05, epsilon=1).best.name
'generic'
>>> tacit.dimensions("thresholds(bits=8)").littlestone.lower
8
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.core.version import __version__

if TYPE_CHECKING:
    from tacit.concepts.specification import parse
    from tacit.core.accuracy import Accuracy
    from tacit.core.composition import calibrate, price
    from tacit.core.privacy import Privacy
    from tacit.core.randomness import Seeded, System
    from tacit.data.bits import Bits
    from tacit.data.category import Category
    from tacit.data.integer import Integer
    from tacit.data.learning import learn
    from tacit.data.ledger import Ledger
    from tacit.data.naming import query, rules
    from tacit.data.real import Real
    from tacit.data.sanitizing import sanitize
    from tacit.data.schema import Schema
    from tacit.evaluation.attack.experiment import attack
    from tacit.evaluation.failure_curves import simulate
    from tacit.evaluation.plan import plan
    from tacit.evaluation.verification import verify
    from tacit.learners.model import Model
    from tacit.theory.dimensions import dimensions

__all__ = [
    "Accuracy",
    "Bits",
    "Category",
    "Integer",
    "Ledger",
    "Model",
    "Privacy",
    "Real",
    "Schema",
    "Seeded",
    "System",
    "__version__",
    "attack",
    "calibrate",
    "dimensions",
    "learn",
    "parse",
    "plan",
    "price",
    "query",
    "rules",
    "sanitize",
    "simulate",
    "verify",
]

_LATER = {
    "Accuracy": "core.accuracy",
    "Bits": "data.bits",
    "Category": "data.category",
    "Integer": "data.integer",
    "Ledger": "data.ledger",
    "Model": "learners.model",
    "Privacy": "core.privacy",
    "Real": "data.real",
    "Schema": "data.schema",
    "Seeded": "core.randomness",
    "System": "core.randomness",
    "attack": "evaluation.attack.experiment",
    "calibrate": "core.composition",
    "dimensions": "theory.dimensions",
    "learn": "data.learning",
    "parse": "concepts.specification",
    "plan": "evaluation.plan",
    "price": "core.composition",
    "query": "data.naming",
    "rules": "data.naming",
    "sanitize": "data.sanitizing",
    "simulate": "evaluation.failure_curves",
    "verify": "evaluation.verification",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
