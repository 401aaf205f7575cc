"""Learners by statistical queries, on a table or without a curator."""
