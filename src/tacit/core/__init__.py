"""The words every layer speaks: exact numbers, laws, privacy and its cost, randomness, errors.

The commonest are told here; each is read from its module when it is first asked for.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.core.accuracy import Accuracy
    from tacit.core.chance.law import Law
    from tacit.core.chance.randomness import Random
    from tacit.core.errors import InvalidArgument, NotExact, TooLarge
    from tacit.core.frozen import hold
    from tacit.core.numbers.decay import Decay
    from tacit.core.numbers.exact import Exact
    from tacit.core.numbers.least_integer import least
    from tacit.core.own_cost import ApproximateCost, BoundedRangeCost, PureCost
    from tacit.core.privacy import Privacy

__all__ = [
    "Accuracy",
    "ApproximateCost",
    "BoundedRangeCost",
    "Decay",
    "Exact",
    "InvalidArgument",
    "Law",
    "NotExact",
    "Privacy",
    "PureCost",
    "Random",
    "TooLarge",
    "hold",
    "least",
]

__getattr__ = on_demand(__name__)
