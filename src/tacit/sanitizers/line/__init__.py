"""Synthetic rows for points and thresholds of a line."""
