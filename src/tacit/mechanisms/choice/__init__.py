"""Choose one of many by its score."""
