"""Statistics to synthetic counts."""
