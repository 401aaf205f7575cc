"""One file a mechanism: the cases that the verifier runs over all neighbouring databases."""
