"""One-way protocols: Alice has a concept, Bob a point; how long must her message be?

- `augmented_index`: augmented index: a mistake tree turns c(x) into guessing a bit whose
  predecessors are known.
- `bits`: one-way communication of a class: bits that every public-coin protocol needs, and that do;
  how many messages say whether a point lies on a line over Z_p: about p, though LDim is 2;
  public-coin protocols for equality, that is for points: the least error in closed form.
- `clustering`: the least that a deterministic protocol errs under a prior: over all partitions of
  concepts.
- `conversions`: protocols are representations and back: with public coins drawn, with private
  coins fixed.
- `greater_than`: a public-coin protocol for thresholds: runs of thresholds, cut at random, and a
  coin inside.
- `newman`: from public coins to private ones, and to a fixed representation: few seeds suit
  everyone.
- `one_way`: one-way protocols written out: who says what with which probability, and the exact
  error; when concept and point are independent: communication is about the VC dimension.
- `private_coin`: the error of private-coin one-way protocols whose Bob throws coins, too.
- `protocol_game`: the game between protocols and inputs, grown protocol by protocol, with ends
  that are exact.
- `protocols`: one-way protocols with public coins, and the representations that they are.
- `public_coin`: the error of public-coin one-way protocols with N messages: exact, with a
  certificate a side.
"""
