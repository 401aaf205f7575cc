"""Statistics to hypotheses: private learners, each with its cost and its sample size."""

from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.generic import GenericLearner
from tacit.learners.label_private import LabelPrivateLearner
from tacit.learners.learner import Learner
from tacit.learners.listing import Listing, Request
from tacit.learners.model import Model

__all__ = [
    "CATALOGUE",
    "GenericLearner",
    "LabelPrivateLearner",
    "Learner",
    "Listing",
    "Model",
    "Request",
    "named",
]
