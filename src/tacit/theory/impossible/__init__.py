"""What is impossible: how many rows every private learner needs.

- `lower_bounds`: how many rows no private learner can do without: bounds with their constants.
- `tracing`: how many rows privacy needs because a code would otherwise trace the learner's output.
"""
