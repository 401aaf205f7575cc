"""Audits that start at the file: everything that reads a table, whatever wrote it."""

from tacit.evaluation.tables.family import case_of, cases_of
from tacit.evaluation.tables.writers import WRITERS

CASES = tuple(case for writer in WRITERS for case in cases_of(writer))

__all__ = ["CASES", "WRITERS", "case_of", "cases_of"]
