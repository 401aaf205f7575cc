"""Synthetic rows from a noisy count of every cell."""
