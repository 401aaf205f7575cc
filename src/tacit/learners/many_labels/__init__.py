"""Learners of k labels from one budget."""
