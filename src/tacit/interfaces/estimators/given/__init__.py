"""What `fit` and `predict` are given, taken apart."""
