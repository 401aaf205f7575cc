"""A learner is made a pirate, and its output traced: with every user in, and with one left out.

Of the papers: BNS16 Thm 4.3, BNS16 Thm 4.7, BNS16 Prop 4.11.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Privacy, Random, check
from tacit.probability.clopper_pearson import at_least
from tacit.theory.codes.codebook import marked
from tacit.theory.codes.trace import Code, Trace
from tacit.verify.attack.setting import Setting

LEVEL = 1e-3


@dataclass(frozen=True, slots=True)
class Tracing:
    """What tracing found in all runs.

    `traced` counts the runs in which somebody was accused while every user was in the data,
    `accused` whom, and `fired` for each user how often their score reached the bar. In a second
    world `absent` random users were left out of each run: `innocent_accused` counts the runs in
    which the score of one of them reached the bar. `marked_right` is the share of the labels on
    which all users agree that the hypotheses reproduce.
    """

    runs: int
    traced: int
    accused: NDArray[np.int64]
    fired: NDArray[np.int64]
    innocent_accused: int
    marked_right: float
    fired_later: NDArray[np.int64]
    suspect: int
    soundness: float
    inside: Trace
    outside: Trace
    left_out: NDArray[np.float64]

    def epsilon_found(self, delta: float = 0.0) -> float:
        """Return the epsilon that the tracing rate refutes, up to a chance of 1/1000.

        A code is sound by itself, so only the rate of true accusations is estimated: of the user
        accused most often in the first half of the runs, over the second half.
        """
        rate = at_least(int(self.fired_later[self.suspect]), self.runs - self.runs // 2, LEVEL)
        return max(0.0, math.log((rate - delta) / self.soundness)) if rate > delta else 0.0

    def within(self, privacy: Privacy) -> bool:
        """Whether the accusations can be those of so private a learner; wrongly no: 1/1000."""
        users = len(self.fired)
        rates = (at_least(int(count), self.runs, LEVEL / users) for count in self.fired)
        return max(rates) <= allowed(privacy, self.soundness)


def allowed(privacy: Privacy, soundness: float) -> float:
    """Return how often a private learner's output may accuse a given user of its data.

    >>> round(allowed(Privacy(1, "1/100"), 0.001), 4)
    0.0127
    """
    return min(1.0, math.exp(min(float(privacy.epsilon), 700.0)) * soundness + float(privacy.delta))


def attack(
    code: Code,
    setting: Setting,
    learner: Callable[..., tuple[Any, ...]],
    *,
    rows: int | None = None,
    runs: int = 20,
    absent: int = 1,
    rng: Random,
) -> Tracing:
    """Trace what a learner of `code.columns` labels puts out, in both worlds.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.verify.attack.named import EmpiricalRisk
    >>> from tacit.verify.attack.setting import thresholds
    >>> from tacit.theory.codes import BonehShaw
    >>> line = thresholds(4)
    >>> openly = EmpiricalRisk(line.concepts)
    >>> found = attack(BonehShaw(4, soundness=0.01), line, openly, runs=10, rng=Seeded(1))
    >>> found.traced, found.accused.tolist(), found.innocent_accused
    (10, [0, 0, 10, 0], 0)
    """
    runs = check.count(runs=runs, least=2)
    check.count(absent=absent, least=1, up_to=setting.users)
    if setting.users != code.users:
        raise InvalidArgument(f"the code is for {code.users} users, the table for {setting.users}")
    full = setting.users if rows is None else rows
    everyone = np.ones(setting.users, dtype=np.bool_)
    accused = np.zeros(setting.users, dtype=np.int64)
    fired = np.zeros((runs, setting.users), dtype=np.bool_)
    innocent, right, agreed, left_out = 0, 0, 0, np.empty(runs)
    for run in range(runs):
        book = code.generate(rng=rng)
        words = book.issued()
        word = setting.word(learner(setting.table(words, everyone, rows=full), rng=rng))
        inside = code.trace(book, word)
        fired[run] = inside.fired
        if inside.accused is not None:
            accused[inside.accused] += 1
        same = marked(words)
        right += int((word == words[0])[same].sum())
        agreed += int(same.sum())
        without, there = everyone.copy(), list(range(setting.users))
        for _ in range(absent):
            without[there.pop(rng.below(len(there)))] = False
        word = setting.word(learner(setting.table(words, without, rows=full), rng=rng))
        outside = code.trace(book, word)
        innocent += bool(outside.fired[~without].any())
        left_out[run] = outside.scores[~without].max()
    half = runs // 2
    return Tracing(
        runs=runs,
        traced=int(fired.any(axis=1).sum()),
        accused=accused,
        fired=fired.sum(axis=0),
        innocent_accused=innocent,
        marked_right=right / agreed if agreed else 1.0,
        fired_later=fired[half:].sum(axis=0),
        suspect=int(np.argmax(fired[:half].sum(axis=0))),
        soundness=float(code.soundness),
        inside=inside,
        outside=outside,
        left_out=left_out,
    )
