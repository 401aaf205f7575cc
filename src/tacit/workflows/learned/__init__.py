"""From counted rows to what is drawn: for a number of rows that is public, or secret."""
