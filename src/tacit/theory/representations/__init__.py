"""Hypotheses that stand for a whole class: what they are, how few there can be, how to get them.

Near words, one meaning each: a *representation* is a set of hypotheses that holds a good one for
every concept and distribution; it is *fixed* (deterministic) or *drawn* by public coins
(probabilistic). A *size* is a bracket on the logarithm of the least number of hypotheses.
"""
