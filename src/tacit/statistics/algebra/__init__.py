"""Rows as equations, and the line that most of them lie on."""
