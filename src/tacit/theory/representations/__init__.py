"""Hypotheses that stand for a whole class: what they are, how few there can be, how to get them.

Near words, one meaning each: a *representation* is a set of hypotheses that holds a good one for
every concept and distribution; it is *fixed* (deterministic) or *drawn* by public coins
(probabilistic). A *size* is a bracket on the logarithm of the least number of hypotheses.

- `accurate_converse`: from an accurate private learner to a representation, gaining from its
  accuracy.
- `bounds`: how large representations of a class must be, and need be: bounds that hold at any size.
- `drawn`: representations: hypotheses, fixed or drawn by public coins, that stand for a whole
  class; representations of small classes as tables and back, with what is exactly true of them.
- `exact`: the fewest hypotheses that represent a class, whatever functions they are.
- `fractional`: the share that one random hypothesis covers: a game that pins representations from
  both sides.
- `light_families`: what a set of k hypotheses can represent: the largest families of sets that may
  be wrong.
- `list_game`: the game between lists of hypotheses and challenges: the least lists of a drawn
  representation.
- `majorities`: boosting by majorities: votes of many poor hypotheses come near the target.
- `of_points`: points over any domain, drawn representations: buckets of hashes, and single parts
  of them.
- `representation`: representations: does a set of hypotheses hold a good one for every concept and
  distribution?
- `sizes`: how many hypotheses represent a class: brackets, exact where a search can end.
- `sparsification`: a drawn representation with few outcomes of its coins: some lists stand for all.
- `union_derandomisation`: from a drawn representation to a fixed one by samples: enough lists
  together suit everybody; from a representation that is drawn to one that is fixed, without
  protocols in between.
"""
