"""A private point amid the records: interior, quantile, centre, and prefixes with many of them."""
