"""Differentially private PAC learning: exact, proved, and verified by enumeration."""

__version__ = "0.1.0"
