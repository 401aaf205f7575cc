"""What a learner is, how it is offered by name, and the model it gives."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.learners.contract.choice import Choice as Choice
    from tacit.learners.contract.dealt import Dealt as Dealt
    from tacit.learners.contract.dealt import deals as deals
    from tacit.learners.contract.entry import Entry as Entry
    from tacit.learners.contract.entry import Request as Request
    from tacit.learners.contract.learner import AccuracyGrid as AccuracyGrid
    from tacit.learners.contract.learner import Learner as Learner
    from tacit.learners.contract.learner import MultiLearner as MultiLearner
    from tacit.learners.contract.learner import Proper as Proper
    from tacit.learners.contract.learner import Unpromising as Unpromising
    from tacit.learners.contract.learner import least_accuracy as least_accuracy
    from tacit.learners.contract.making import entry_of as entry_of
    from tacit.learners.contract.making import finest as finest
    from tacit.learners.contract.making import made_by as made_by
    from tacit.learners.contract.making import thrifty as thrifty

__getattr__ = on_demand(__name__)
