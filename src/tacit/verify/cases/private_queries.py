"""Private answers to statistical queries, the whole transcript: on blocks, and all at once."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from fractions import Fraction

from tacit.concepts.line.thresholds import Thresholds
from tacit.learners.queries.private_queries import PrivateQueries
from tacit.learners.queries.statistical_queries import Query
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]
UNIVERSE: tuple[Row, ...] = ((0, (0,)), (0, (1,)), (1, (0,)), (1, (1,)))


@dataclass(frozen=True, slots=True)
class Transcript:
    """Asks about yeses, then about one of two points, by the first answer; returns all answers."""

    adaptive: bool
    queries: int = 2

    @property
    def hypotheses(self) -> Thresholds:
        """The domain is {0, 1}."""
        return Thresholds(1)

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Return alpha."""
        return alpha

    def run(self, tolerance: Fraction, /) -> Generator[Query, Fraction, tuple[Fraction, Fraction]]:
        """Ask, and return the answers."""
        first = yield lambda points, labels: labels | (points < 0)
        at = int(first > tolerance) if self.adaptive else 1
        second = yield lambda points, labels: (points == at) & (labels | ~labels)
        return first, second


def _case(n: int, epsilon: str, *, adaptive: bool, tight: bool) -> Case:
    answers = PrivateQueries(Transcript(adaptive), tolerance="1/4", epsilon=epsilon)

    law = Route(answers, labelled)

    kind = "on blocks" if adaptive else "on all rows"
    setting = f"2 queries {kind}, n={n}, epsilon={epsilon}"
    return Case("private-queries", setting, "learner", answers.cost, UNIVERSE, n, law, tight=tight)


CASES = (
    _case(4, "1", adaptive=True, tight=True),
    _case(3, "1/2", adaptive=True, tight=False),
    _case(3, "1", adaptive=False, tight=True),
    _case(4, "2", adaptive=False, tight=True),
    _case(3, "6", adaptive=False, tight=True),
)

PROBES = tuple(
    Probe(_case(50, epsilon, adaptive=False, tight=True), 600, neighbours=1)
    for epsilon in ("1/4", "8")
)
