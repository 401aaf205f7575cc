"""Chances with rigorous bounds: binomial, hypergeometric, and sums of noise."""
