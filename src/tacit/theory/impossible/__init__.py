"""What is impossible: how many rows every private learner needs.

- `lower_bound`: a bound as a value: so many rows, whom it binds, and the witness that it needs.
- `witnesses`: what makes a class hard: concepts that differ and agree, trees, packings; verified.
- `differing_rows`: how many of n rows fall into an event: the sums that the bounds are made of.
- `packing`: what it takes to tell concepts apart, two or many, for (epsilon, delta).
- `mistake_trees`: what a mistake tree asks of private learners, proper or not.
- `protocols`: what one-way protocols ask of pure learners.
- `fingerprints`: what k arbitrary labels ask of private learners.
- `unseen_points`, `coins`, `parity_rank`: what any learner needs, private or not.
- `tracing`: how many rows privacy needs because a code would otherwise trace the learner's output.
"""
