"""Loops over the bytes of a file and the rows of a table."""
