"""Is it private, and was it enough? Verifier, auditor, broken twins, simulation."""
