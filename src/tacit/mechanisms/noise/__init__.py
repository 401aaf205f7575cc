"""Add noise to integers."""
