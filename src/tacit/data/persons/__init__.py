"""Rows by person: who is the same person, and what each of them gives."""
