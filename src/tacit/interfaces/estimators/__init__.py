"""scikit-learn estimators: the learners, for people who live in pipelines.

They are shells: bounds become a schema, a table becomes counts by the one reduction there is, and
what `fit` costs is on the ledger before anything is drawn. `tacit.estimators` names them.
"""

from tacit.core.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtra(package="scikit-learn", extra="sklearn") from None
