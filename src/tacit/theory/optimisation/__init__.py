"""Private optimisation without the data: problems, the solutions that stand for all, instances.

- `centre_points`: points that are deep among records, over any finite domain.
- `problem`: what each solution is worth on a database, and that no row moves it much; synthetic
  rows that answer all queries nearly as the records do.
- `satisfiability`: clauses of three literals, and the assignments that stand for all of them.
- `solution_sets`: does a set of solutions, fixed or drawn, hold a good one for every database?
"""
