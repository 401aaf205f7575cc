"""Learners of halfspaces and scorecards."""
