"""The words every layer speaks: exact numbers, laws, privacy and its cost, randomness, errors.

The commonest are told here; each is read from its module when it is first asked for.
"""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.core.accuracy import Accuracy as Accuracy
    from tacit.core.chance.law import Law as Law
    from tacit.core.chance.randomness import Random as Random
    from tacit.core.cost import Approximate as Approximate
    from tacit.core.cost import ApproximateCost as ApproximateCost
    from tacit.core.cost import BoundedRange as BoundedRange
    from tacit.core.cost import BoundedRangeCost as BoundedRangeCost
    from tacit.core.cost import Cost as Cost
    from tacit.core.cost import Pure as Pure
    from tacit.core.cost import PureCost as PureCost
    from tacit.core.errors import InvalidArgument as InvalidArgument
    from tacit.core.errors import NotExact as NotExact
    from tacit.core.errors import TacitError as TacitError
    from tacit.core.errors import TooLarge as TooLarge
    from tacit.core.frozen import hold as hold
    from tacit.core.numbers.decay import Decay as Decay
    from tacit.core.numbers.enclosures import Enclosure as Enclosure
    from tacit.core.numbers.exact import Exact as Exact
    from tacit.core.numbers.least import least as least
    from tacit.core.privacy import Privacy as Privacy
    from tacit.core.unit import Unit as Unit

__getattr__ = on_demand(__name__)
