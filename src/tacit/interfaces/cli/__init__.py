"""The command: parse, call, show."""
