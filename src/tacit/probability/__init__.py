"""Chances with rigorous bounds: binomial, and sums of noise."""
