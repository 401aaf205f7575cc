"""Synthetic rows from noisy marginals."""
