"""Verbs that try to break what is claimed."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.interfaces.cli.checks.one_run import audit_in_one_run

__all__ = ["audit_in_one_run"]

__getattr__ = on_demand(__name__)
