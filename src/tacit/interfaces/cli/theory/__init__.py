"""Verbs that read no data: plans, dimensions, bounds."""
