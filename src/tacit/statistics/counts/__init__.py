"""How often each point, key or label occurs."""
