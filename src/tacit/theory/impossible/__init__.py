"""How many rows are too few, whoever learns."""
