"""One-way communication: protocols, the game against them, and what it says of a class."""
