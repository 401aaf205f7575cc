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
from tacit.interfaces.estimators.box import PrivateBoxClassifier
from tacit.interfaces.estimators.classifier import PrivateClassifier
from tacit.interfaces.estimators.decision_list import PrivateDecisionListClassifier
from tacit.interfaces.estimators.halfspace import PrivateHalfspaceClassifier
from tacit.interfaces.estimators.interval import PrivateIntervalClassifier
from tacit.interfaces.estimators.multi_label import MultiLabelPrivateClassifier
from tacit.interfaces.estimators.parity import PrivateParityClassifier
from tacit.interfaces.estimators.point import PrivatePointClassifier
from tacit.interfaces.estimators.rule import PrivateRuleClassifier
from tacit.interfaces.estimators.search import PrivateSearchCV
from tacit.interfaces.estimators.synthesizer import PrivateSynthesizer
from tacit.interfaces.estimators.threshold import PrivateThresholdClassifier

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
