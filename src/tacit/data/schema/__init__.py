"""The schema: each column's public domain, how a cell is read by it, and the classes over it."""
