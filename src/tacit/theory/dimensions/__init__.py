"""VC, Littlestone, threshold, teaching and one-inclusion: dimensions with their witnesses."""
