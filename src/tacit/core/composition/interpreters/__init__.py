"""Ways to price a cost tree: each proves one promise about the same releases."""
