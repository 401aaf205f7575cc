"""Cases of who else is protected than one replaced row, and of houses."""
