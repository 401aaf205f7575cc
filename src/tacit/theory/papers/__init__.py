"""The papers: what is cited, their tables as data, their errors."""
