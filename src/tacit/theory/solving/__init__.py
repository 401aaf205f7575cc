"""What the searches share: tables of classes, games, hitting sets, symmetries.

- `class_table`: a class as a table for the searches: whole where it is small, else on a few telling
  points; how many unlabelled points are enough for their labellings to stand for a whole class; how
  many concepts a class has, where nobody can count them: between two numbers.
- `heavy_sets`: which sets of points can all be heavy at once, and the distribution that fails a
  lottery most.
- `hitting_sets`: smallest hitting sets of bitmaps, and few of most weight, by branch and bound, in
  time.
- `incidence`: a class as bits: one bitmap of concepts for each point, repeated concepts left out.
- `logarithms`: logarithms of numbers of messages and hypotheses, each rounded to its safe side.
- `matrix_game`: zero-sum matrix games: a mixed strategy for each side, exact, so that each
  certifies a bound.
- `symmetry`: symmetries of a class: renamings of concepts and points that keep it, up to flipped
  points.
"""
