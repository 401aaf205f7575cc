"""Several houses, one message each: ask, answer, join."""
