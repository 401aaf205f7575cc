"""Counts, means and quantiles of a table from one budget, and the bins that tables count by."""
