"""Is it private, and was it enough? Verifier, auditor, broken twins, simulation.

`tacit.verify(case)` is the verifier, and `tacit.verify` this package: one name, so that it means
the same whether or not a module of the package was imported before.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.verify.enumeration import Case, verify
    from tacit.verify.finding import Finding

__all__ = ["Case", "Finding", "verify"]

__getattr__ = on_demand(__name__)


class _Verifier(ModuleType):
    """The package, that can be called."""

    def __call__(self, case: Case) -> Finding:
        """Verify a case: see `tacit.verify.enumeration.verify`."""
        found: Finding = self.verify(case)
        return found


sys.modules[__name__].__class__ = _Verifier
