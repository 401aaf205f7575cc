"""Exact numbers: rationals as people type them, balls around reals, weights of our samplers."""
