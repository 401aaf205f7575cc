"""How good a hypothesis is, told with noise, and what can be said from that."""
