"""Learners of boxes."""
