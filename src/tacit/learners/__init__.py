"""Statistics to hypotheses: private learners, each with its cost and its sample size."""

from tacit.learners.generic import GenericLearner
from tacit.learners.learner import Learner

__all__ = ["GenericLearner", "Learner"]
