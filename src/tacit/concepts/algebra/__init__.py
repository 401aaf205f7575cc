"""Families with algebra behind them: parities, lines over a field, hashes, codes."""
