"""scikit-learn estimators: `from tacit.estimators import PrivateThresholdClassifier`.

They need the extra `sklearn`; nothing else of tacit imports scikit-learn.
"""

from tacit.interfaces.estimators.accounting import Unrecorded, unrecorded
from tacit.interfaces.estimators.classifiers.box import PrivateBoxClassifier
from tacit.interfaces.estimators.classifiers.chosen import PrivateClassifier
from tacit.interfaces.estimators.classifiers.halfspace import PrivateHalfspaceClassifier
from tacit.interfaces.estimators.classifiers.multi_label import MultiLabelPrivateClassifier
from tacit.interfaces.estimators.classifiers.rules import (
    PrivateIntervalClassifier,
    PrivateParityClassifier,
    PrivatePointClassifier,
    PrivateRuleClassifier,
    PrivateThresholdClassifier,
)
from tacit.interfaces.estimators.regressor import PrivateRegressor
from tacit.interfaces.estimators.search import PrivateSearchCV
from tacit.interfaces.estimators.synthesizer import PrivateSynthesizer

__all__ = [
    "MultiLabelPrivateClassifier",
    "PrivateBoxClassifier",
    "PrivateClassifier",
    "PrivateHalfspaceClassifier",
    "PrivateIntervalClassifier",
    "PrivateParityClassifier",
    "PrivatePointClassifier",
    "PrivateRegressor",
    "PrivateRuleClassifier",
    "PrivateSearchCV",
    "PrivateSynthesizer",
    "PrivateThresholdClassifier",
    "Unrecorded",
    "unrecorded",
]
