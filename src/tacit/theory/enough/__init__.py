"""What is enough: how many rows, and what noise, certainly suffice."""
