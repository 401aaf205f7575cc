"""What is impossible: how many rows every private learner needs."""
