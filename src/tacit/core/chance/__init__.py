"""Chance itself: where uniform bits come from, exact laws, and how far apart two of them are."""
