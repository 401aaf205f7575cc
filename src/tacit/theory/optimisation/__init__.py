"""Private optimisation without the data: problems, the solutions that stand for all, instances."""
