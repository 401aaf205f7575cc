"""Search along a line of questions or scores."""
