"""The exact optimum: what the best private learner of a small class loses, proved on both sides."""
