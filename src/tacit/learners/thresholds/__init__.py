"""Learners of thresholds."""
