"""With k labels, up to how many people can a learner's output be traced?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tacit.core import Exact, Random, check
from tacit.probability.clopper_pearson import at_least, at_most
from tacit.theory.codes.p_value import PValueTardos
from tacit.theory.codes.symmetric_tardos import SymmetricTardos
from tacit.verify.attack.experiment import LEVEL, Tracing, attack
from tacit.verify.attack.setting import Setting, one_point

Make = Callable[[Setting, int], Callable[..., tuple[Any, ...]]]
"""Makes a learner for a setting and a number of rows."""


@dataclass(frozen=True, slots=True)
class Step:
    """One number of people, everybody's k labels a fingerprint, and what tracing found."""

    users: int
    outcome: Tracing

    @property
    def share(self) -> float:
        """The share of runs in which somebody was accused."""
        return self.outcome.traced / self.outcome.runs

    @property
    def interval(self) -> tuple[float, float]:
        """Between which bounds the chance of that lies, each wrong with chance 1/1000."""
        traced, runs = self.outcome.traced, self.outcome.runs
        return at_least(traced, runs, LEVEL), at_most(traced, runs, LEVEL)

    @property
    def traceable(self) -> bool:
        """Whether accusations are more than what a sound code makes of strangers, by chance."""
        return self.interval[0] > self.users * self.outcome.soundness


def sweep(
    sizes: Iterable[int],
    make: Make,
    *,
    labels: int,
    soundness: Exact = "0.001",
    runs: int = 20,
    rng: Random,
) -> list[Step]:
    """Attack a learner with these numbers of people, all with k labels, by p-values.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.verify.attack.named import EmpiricalRisk
    >>> openly = lambda setting, _: EmpiricalRisk(setting.concepts)
    >>> found = sweep((4, 40), openly, labels=600, runs=20, rng=Seeded(1))
    >>> [step.traceable for step in found], stops(found)
    ([True, False], 40)
    """
    steps = []
    for users in sizes:
        setting = one_point(check.count(users=users, least=2))
        code = PValueTardos(SymmetricTardos(users, soundness=soundness, columns=labels))
        steps.append(Step(users, attack(code, setting, make(setting, users), runs=runs, rng=rng)))
    return steps


def stops(steps: Iterable[Step]) -> int | None:
    """Return the least number of people from which on tracing is not shown; None if there is none.

    That is what so many runs of this tracer show, not that nobody could be traced.
    """
    found: int | None = None
    for step in sorted(steps, key=lambda step: -step.users):
        if step.traceable:
            break
        found = step.users
    return found
