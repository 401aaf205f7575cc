"""Loops over bits packed into words of 64."""
