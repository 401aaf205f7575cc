"""Learners made from learners."""
