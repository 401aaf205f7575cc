"""Learners of conjunctions and lists of rules."""
