"""The exact optimum: what the best private learner of a small class loses, proved on both sides.

- `automorphisms`: the symmetries of a small class, found by search; orbits.
- `certificates`: both sides as exact numbers, and who checks them.
- `databases`: all databases of n rows over few points, and the program of a class.
- `optimum`: `optimum` of a class and of `votes`.
- `populations`: the family on which failures are counted.
- `program`: the linear program of private laws.
- `proposal`: its solution by floats; from floats to certificates.
- `votes`: the program of votes for any number of candidates.
"""
