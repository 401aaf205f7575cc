"""scikit-learn estimators: `from tacit.estimators import PrivateThresholdClassifier`.

They need the extra `sklearn`; nothing else of tacit imports scikit-learn.
"""

from tacit.interfaces.estimators import (
    MultiLabelPrivateClassifier,
    PrivateBoxClassifier,
    PrivateClassifier,
    PrivateDecisionListClassifier,
    PrivateHalfspaceClassifier,
    PrivateIntervalClassifier,
    PrivateParityClassifier,
    PrivatePointClassifier,
    PrivateRuleClassifier,
    PrivateSearchCV,
    PrivateSynthesizer,
    PrivateThresholdClassifier,
    Unrecorded,
    unrecorded,
)

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
