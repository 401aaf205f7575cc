"""Verbs that try to break what is claimed."""
