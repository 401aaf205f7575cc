"""Representations of a class, fixed or drawn: sizes from both sides, and ways between them."""
