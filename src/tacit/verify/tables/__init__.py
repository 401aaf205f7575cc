"""Audits that start at the file: everything that reads a table, whatever wrote it."""

from tacit.verify.tables.family import case_of, cases_of
from tacit.verify.tables.writers import WRITERS

CASES = tuple(case for writer in WRITERS for case in cases_of(writer))

__all__ = ["CASES", "WRITERS", "case_of", "cases_of"]
