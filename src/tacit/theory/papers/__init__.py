"""The papers: what is cited, every statement and where it lives, their tables, their errors."""
