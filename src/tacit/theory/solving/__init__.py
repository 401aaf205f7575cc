"""A class as a table of bits, and what is solved on it: games, hitting sets, symmetries."""
