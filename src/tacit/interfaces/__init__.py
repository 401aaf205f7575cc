"""What people touch: the command; it parses, calls and shows, and does no mathematics."""
