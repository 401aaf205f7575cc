"""Learners of points."""
