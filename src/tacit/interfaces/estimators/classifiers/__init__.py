"""One classifier a family."""
