"""Several houses, one message each: a question, answers that are noisy tables, and their sum.

A *question* is public: cross-tables of declared columns, each with the noise of its cells, for
houses named by their keys. Each house *answers* with one signed message from its own rows. Whoever
has the messages can *join* them: checks, adds, and makes what the question was asked for. A house
knows nothing of that purpose; kinds of question are made, and their sums read, in `kinds/`.
"""
