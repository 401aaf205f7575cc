"""Whether progress is to be shown: said once, before the verb."""

from __future__ import annotations

from contextvars import ContextVar

QUIET: ContextVar[bool] = ContextVar("quiet", default=False)
