"""Families on a line of integers: points, thresholds, intervals."""
