"""A private point amid the records: interior, quantile, centre."""
