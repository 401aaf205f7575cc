"""How many rows, which learner, what is impossible."""
