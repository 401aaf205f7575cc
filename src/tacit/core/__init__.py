"""The words every layer speaks: exact numbers, laws, privacy and its cost, randomness, errors."""
