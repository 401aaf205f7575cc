"""Learners of parities and lines."""
