"""Dimensions of a class, each found with a witness and checked by a verifier.

- `all_dimensions`: all dimensions of a class at once, each with what shows it, in the time that
  there is.
- `cover_numbers`: covering and packing numbers of a table of concepts under a distribution, by
  disagreement.
- `covers`: covers and packings of a class when the distribution of the points is known.
- `equivalence_queries`: equivalence queries: hypotheses against counter-examples, of any kind or
  from the class alone.
- `further_dimensions`: dual, threshold and teaching dimension, covers and packings of a class,
  each with its witness.
- `generalisation`: from the rows to those that were never seen: for all concepts of a finite class
  at once.
- `halfspace_tree`: an explicit mistake tree of halfspaces on a grid, of depth b + 1 + b d (d - 1)
  / 2.
- `littlestone`: Littlestone dimension: the deepest complete mistake tree, found, shown and checked.
- `optimal_predictor`: the standard optimal algorithm: every mistake lowers the Littlestone
  dimension.
- `teaching`: teaching dimension: how many labelled points tell a concept from all others of its
  class.
- `threshold_dimension`: threshold dimension: the longest line of concepts and points that looks
  like thresholds.
- `vc`: VC dimension: the largest shattered set, found, shown and checked.
"""
