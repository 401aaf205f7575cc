"""Verbs that read a table, or what stands beside one: schema and ledger."""
