"""scikit-learn estimators: the learners, for people who live in pipelines.

They are shells: bounds become a schema, a table becomes counts by the one reduction there is, and
what `fit` costs is on the ledger before anything is drawn.
"""

from tacit.core.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtra(package="scikit-learn", extra="sklearn") from None

from tacit.interfaces.estimators.accounting import Unrecorded, unrecorded
from tacit.interfaces.estimators.classifiers.box import PrivateBoxClassifier
from tacit.interfaces.estimators.classifiers.classifier import PrivateClassifier
from tacit.interfaces.estimators.classifiers.decision_list import PrivateDecisionListClassifier
from tacit.interfaces.estimators.classifiers.halfspace import PrivateHalfspaceClassifier
from tacit.interfaces.estimators.classifiers.interval import PrivateIntervalClassifier
from tacit.interfaces.estimators.classifiers.multi_label import MultiLabelPrivateClassifier
from tacit.interfaces.estimators.classifiers.parity import PrivateParityClassifier
from tacit.interfaces.estimators.classifiers.point import PrivatePointClassifier
from tacit.interfaces.estimators.classifiers.rule import PrivateRuleClassifier
from tacit.interfaces.estimators.classifiers.threshold import PrivateThresholdClassifier
from tacit.interfaces.estimators.search import PrivateSearchCV
from tacit.interfaces.estimators.synthesizer import PrivateSynthesizer

__all__ = [
    "MultiLabelPrivateClassifier",
    "PrivateBoxClassifier",
    "PrivateClassifier",
    "PrivateDecisionListClassifier",
    "PrivateHalfspaceClassifier",
    "PrivateIntervalClassifier",
    "PrivateParityClassifier",
    "PrivatePointClassifier",
    "PrivateRuleClassifier",
    "PrivateSearchCV",
    "PrivateSynthesizer",
    "PrivateThresholdClassifier",
    "Unrecorded",
    "unrecorded",
]
