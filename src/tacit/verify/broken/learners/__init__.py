"""Learners that are wrong on purpose."""
