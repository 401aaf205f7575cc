"""What our learners reach on the public tables, with no setting chosen for any of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from statistics import mean
from typing import Any

from benchmarks.public.declared import OUTCOME, Declared
from benchmarks.public.peers import DELTA, Key, Reached
from benchmarks.public.rows import Rows, Split
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.privacy import Privacy
from tacit.data.schema.classes import class_for
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.learners.made_from.added import AddedLearner
from tacit.workflows.choosing import choose

BETA = Fraction(1, 20)
FIXED: dict[str, tuple[str, str]] = {
    "rules(width=1)": ("rules(width=1)", "generic"),
    "rules(width=2)": ("rules(width=2)", "generic"),
    "margin": ("scorecards", "margin"),
    "counted": ("scorecards", "counted"),
    "short rules": ("rules(width=2, negated=yes)", "short-rules"),
}
"""Single choices for all tables: a class and a learner."""


AUTO, PURE, ADDED = "auto", "auto, delta = 0", "auto, added"
"""What is chosen by public numbers, with the budget of all others, with epsilon alone, and for the
neighbours that DP-EBM has: one row added or removed, the number of rows declared."""


def measure(
    tables: Sequence[Rows],
    seeds: int,
    epsilons: Sequence[float],
    choices: Sequence[str] = (AUTO, PURE, ADDED, *FIXED),
) -> dict[Key, Reached]:
    """Measure each choice on each table."""
    found: dict[Key, Reached] = {}
    for rows in tables:
        splits = [rows.split(seed) for seed in range(seeds)]
        counts = [split.counts() for split in splits]
        for name, epsilon in product(choices, epsilons):
            privacy = Privacy(str(epsilon), 0 if name == PURE else DELTA)
            made = make(rows.table, name, privacy, counts[0].n)
            judged = [  # with equal coins, so that equal choices reach the same
                learned(made, split, sample, Seeded(seed))
                for seed, (split, sample) in enumerate(zip(splits, counts, strict=True))
            ]
            reached = Reached(mean(e for e, _ in judged), mean(a for _, a in judged))
            found[rows.table.name, name, epsilon] = reached
    return found


def make(table: Declared, name: str, privacy: Privacy, n: int) -> Any:
    """Return the learner as `learn` makes it."""
    if name in FIXED:
        concepts, learner = FIXED[name]
    else:
        told = choose(table.schema, table.features, [OUTCOME], n, privacy)
        concepts, learner = told.concepts, told.learner
    chosen = class_for(concepts, table.schema, table.features)
    made = named(learner)(Request(chosen, privacy, n, None, BETA, agnostic=True))
    return AddedLearner(made, n) if name == ADDED else made


def learned(made: Any, split: Split, sample: Any, rng: Random) -> tuple[float, float]:
    """Learn from a split; return error and area on its other rows."""
    (hypothesis,) = made(sample, rng=rng)
    points = made.hypotheses.clip(split.rows.codes[split.test])
    return split.judged(hypothesis.score(points))
