"""What a family is, how it is named on the command line, and the family that is a matrix."""
