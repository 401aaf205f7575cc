"""Families over the columns of a table: conjunctions, rules, decision lists, scorecards."""
