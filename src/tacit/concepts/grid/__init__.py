"""Families on a grid of integer points: boxes, halfspaces, balls."""
