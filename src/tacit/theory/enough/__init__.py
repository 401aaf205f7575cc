"""How many rows are enough: one bound a file, each with its exact constant."""
