"""What is enough: how many rows, and what noise, certainly suffice.

- `agnostic`: how many rows the exponential mechanism needs when no hypothesis explains the labels.
- `chain`: how many rows the exponential mechanism needs on classes that are chains, such as
  thresholds.
- `choice`: what a choice by agreements promises: how many rows for an accuracy, and the other way
  round.
- `depth`: how many rows a concept needs that disjoint blocks do not deny.
- `envelope`: how many rows suffice when the hypotheses to choose from are drawn by public coins.
- `mixture`: how many rows suffice when many of the hypotheses come near the target together.
- `random_bits`: how likely a uniform matrix of bits pins every linear function down, even without
  one row.
- `selection`: how many rows the exponential mechanism needs to learn: one bound with its exact
  constant.
- `without_privacy`: how many rows learning takes without privacy: what privacy's price is measured
  against.
- `zero_test`: is an event impossible, or has it probability at least a gap? Tests on one private
  count.
"""
