"""From the bytes of a file to counts: a pure function of each row."""
