"""Was it enough? Learners on the worst populations that can be found."""
