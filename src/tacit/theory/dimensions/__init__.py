"""Dimensions of a class, each found with a witness and checked by a verifier."""
