"""How often a code accuses the guilty and the innocent, for each strategy of the pirates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.theory.codes.pirates import PIRATES, Pirate
from tacit.theory.codes.trace import Code


@dataclass(frozen=True, slots=True)
class TracingTally:
    """In so many trials of a strategy: nobody was accused, and one user without part in it was."""

    pirate: str
    trials: int
    missed: int
    innocent: int


def tally(
    code: Code, *, trials: int, pirates: dict[str, Pirate] = PIRATES, rng: Random
) -> list[TracingTally]:
    """Let all users be the coalition, then all but the one in the middle, with every strategy.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.theory.codes import BonehShaw
    >>> code = BonehShaw(4, soundness=0.01)
    >>> [(t.pirate, t.missed) for t in tally(code, trials=5, rng=Seeded(0))][:2]
    [('random', 0), ('majority', 0)]
    """
    check.count(trials=trials, least=1)
    missed, innocent = dict.fromkeys(pirates, 0), dict.fromkeys(pirates, 0)
    someone = code.users // 2
    for _ in range(trials):
        book = code.generate(rng=rng)
        words = book.issued()
        others = np.delete(words, someone, axis=0)
        for name, pirate in pirates.items():
            missed[name] += not code.trace(book, pirate(words, rng)).fired.any()
            innocent[name] += bool(code.trace(book, pirate(others, rng)).fired[someone])
    return [TracingTally(name, trials, missed[name], innocent[name]) for name in pirates]


def worst_of(code: Code, *, trials: int, rng: Random) -> Pirate:
    """Return the strategy that, tried out on codes of its own, is accused least often.

    The pirates do not know the secret, but they know the code: this is the best they can choose
    among the strategies here.
    """
    found = tally(code, trials=trials, rng=rng)
    return PIRATES[max(found, key=lambda each: each.missed).pirate]
