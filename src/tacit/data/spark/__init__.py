"""The same on a Spark cluster."""
