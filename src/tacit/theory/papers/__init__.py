"""What the papers state, statement by statement, and where each lives in the code."""
