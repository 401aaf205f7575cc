"""Ours in the words of other libraries."""
