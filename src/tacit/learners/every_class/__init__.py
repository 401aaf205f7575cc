"""Learners for every class: by scores, covers, representations, protocols, votes."""
