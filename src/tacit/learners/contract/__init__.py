"""What a learner is, how it is offered by name, and the model it gives."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.learners.contract.accuracy_grid import AccuracyGrid, least_accuracy
    from tacit.learners.contract.choice import Choice
    from tacit.learners.contract.dealing import deals
    from tacit.learners.contract.dealt import Dealt
    from tacit.learners.contract.entry import Entry, Request
    from tacit.learners.contract.learner import Learner
    from tacit.learners.contract.making import entry_of, finest, made_by
    from tacit.learners.contract.multi_learner import MultiLearner
    from tacit.learners.contract.proper import Proper
    from tacit.learners.contract.unpromising import Unpromising
    from tacit.learners.contract.unspent_budget import thrifty

__all__ = [
    "AccuracyGrid",
    "Choice",
    "Dealt",
    "Entry",
    "Learner",
    "MultiLearner",
    "Proper",
    "Request",
    "Unpromising",
    "deals",
    "entry_of",
    "finest",
    "least_accuracy",
    "made_by",
    "thrifty",
]

__getattr__ = on_demand(__name__)
