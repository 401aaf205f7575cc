"""Synthetic rows for any finite family of queries."""
