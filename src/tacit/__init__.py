"""Differentially private PAC learning: exact, proved, and verified by enumeration.

What most people need is here, and imported when it is first used:

>>> import tacit
>>> schema = tacit.Schema({"age": tacit.Integer(18, 100), "sick": tacit.Bits()})
>>> tacit.plan("thresholds(bits=32)", alpha=0.05, epsilon=1).best.name
'tree-threshold'
>>> tacit.dimensions("thresholds(bits=8)").littlestone.lower
8
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand
from tacit.core.version import __version__

if TYPE_CHECKING:
    from tacit.concepts.contract.specification import parse
    from tacit.core.accuracy import Accuracy
    from tacit.core.chance.randomness import Seeded, System
    from tacit.core.composition import calibrate, price
    from tacit.core.privacy import Privacy
    from tacit.data.ledger import Ledger
    from tacit.data.schema.bits import Bits
    from tacit.data.schema.category import Category
    from tacit.data.schema.integer import Integer
    from tacit.data.schema.real import Real
    from tacit.data.schema.schema import Schema
    from tacit.learners.contract.model import Model
    from tacit.theory.dimensions.all_dimensions import dimensions
    from tacit.verify.attack.experiment import attack
    from tacit.verify.enough.failure_curves import simulate
    from tacit.verify.enumeration import verify
    from tacit.workflows.converting import convert
    from tacit.workflows.learning import learn
    from tacit.workflows.naming import query, rules
    from tacit.workflows.planning.plan import plan
    from tacit.workflows.sanitizing import sanitize

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
    "convert",
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

__getattr__ = on_demand(__name__)
