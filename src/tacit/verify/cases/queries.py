"""Learning by statistical queries: with noisy answers, randomised reports, and simulated ones."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from tacit import concepts, learners
from tacit.learners.queries.statistical_queries import Query
from tacit.verify.cases.statement import Audited, Row, case, rows, rows_of
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def _learned(
    make: Callable[..., Any],
    spec: str,
    n: int,
    epsilon: str,
    beta: str = "3/4",
    *,
    few: bool = False,
    tight: bool = False,
) -> Case:
    """Make a case over all rows of a class, or over the positives and one more."""
    made = concepts.parse(spec)
    universe = sorted(rows_of(made), key=lambda row: -row[1][0])
    held = universe[: len(universe) // 2 + 1] if few else universe
    return case(make(made, epsilon=epsilon, beta=beta), n, f"{made}, {beta=}", held, tight=tight)


def _mostly(few: int, n: int) -> tuple[Row, ...]:
    """Return rows of which only a few say yes."""
    return ((1, (1,)),) * few + ((0, (0,)),) * (n - few)


def statistical_query_learner() -> Audited:
    """Noisy answers: dealt blocks for thresholds, the whole sample for the others."""
    learned = partial(_learned, learners.StatisticalQueryLearner)
    return (
        learned("thresholds(bits=1)", 4, "1", "1/4", tight=True),
        learned("thresholds(bits=1, direction=down)", 3, "1/3", "1/3", tight=True),
        learned("thresholds(bits=2)", 3, "1", "1/2"),
        learned("thresholds(bits=1, direction=both)", 4, "2", "1/2"),
        learned("points(bits=1)", 4, "1", "1/2", tight=True),
        learned("points(bits=2)", 3, "1/2", "1/2", few=True),
        learned("conjunctions(dims=1, width=1)", 5, "2", "1/2", tight=True),
        learned("conjunctions(dims=2, width=1)", 3, "3", "9/10", few=True),
        learned("points(bits=1)", 3, "6", "1/2"),
    ), tuple(
        Probe(learned("points(bits=1)", 1000, epsilon, "1/2"), 600, _mostly(few, 1000))
        for epsilon, few in (("1/20", 60), ("8", 1))
    )


def local_learner() -> Audited:
    """Randomised responses: rows dealt to one group for each query."""
    learned = partial(_learned, learners.LocalLearner)
    return (
        learned("thresholds(bits=1)", 3, "1", tight=True),
        learned("thresholds(bits=1)", 4, "1", "1/3"),
        learned("thresholds(bits=1, direction=down)", 3, "1/3", "1/2"),
        learned("thresholds(bits=2)", 3, "1", "1/2"),
        learned("thresholds(bits=1, direction=both)", 4, "2", "1/2", few=True),
        learned("points(bits=1)", 4, "1", "1/2", few=True),
        learned("conjunctions(dims=1, width=1)", 4, "2", "9/10", few=True),
        learned("thresholds(bits=1)", 3, "6", "1/2"),
    ), tuple(Probe(learned("thresholds(bits=1)", 12, e, "1/2"), 600) for e in ("1/4", "8"))


def simulated_local_learner() -> Audited:
    """Reports made up from noisy counts: on the whole sample, or on rows dealt to the queries."""

    def reported(reports: int, *asked: Any, local: str = "3", **more: Any) -> Case:
        def make(made: concepts.ConceptClass[Any], **budget: Any) -> Any:
            told = learners.LocalLearner(made, epsilon=local, beta="1/2")
            return learners.SimulatedLocalLearner(told, reports=reports, **budget)

        return _learned(make, *asked, **more)

    return (
        reported(24, "thresholds(bits=1)", 3, "1", local="30", tight=True),
        reported(3, "thresholds(bits=1)", 4, "1/2"),
        reported(2, "thresholds(bits=2)", 3, "2", few=True),
        reported(5, "points(bits=1)", 3, "1", few=True),
        reported(4, "conjunctions(dims=1, width=1)", 3, "2", few=True),
        reported(2, "points(bits=1)", 3, "6", few=True),
    ), tuple(
        Probe(reported(5, "points(bits=1)", 100, epsilon), 300, _mostly(few, 100))
        for epsilon, few in (("1/4", 10), ("8", 1))
    )


@dataclass(frozen=True, slots=True)
class Transcript:
    """Asks about yeses, then about one of two points, by the first answer; returns all answers."""

    adaptive: bool
    queries: int = 2

    @property
    def hypotheses(self) -> concepts.Thresholds:
        """The domain is {0, 1}."""
        return concepts.Thresholds(1)

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Return alpha."""
        return alpha

    def run(self, tolerance: Fraction, /) -> Generator[Query, Fraction, tuple[Fraction, Fraction]]:
        """Ask, and return the answers."""
        first = yield lambda points, labels: labels | (points < 0)
        at = int(first > tolerance) if self.adaptive else 1
        second = yield lambda points, labels: (points == at) & (labels | ~labels)
        return first, second


def private_queries() -> Audited:
    """Private answers to statistical queries, the whole transcript: on blocks, and all at once."""

    def answered(n: int, epsilon: str, *, adaptive: bool = False, tight: bool = True) -> Case:
        asked = Transcript(adaptive)
        answers = learners.PrivateQueries(asked, tolerance="1/4", epsilon=epsilon)
        about = f"2 queries on {'blocks' if adaptive else 'all rows'}"
        return case(answers, n, about, rows((0, 1)), tight=tight)

    return (
        answered(4, "1", adaptive=True),
        answered(3, "1/2", adaptive=True, tight=False),
        answered(3, "1"),
        answered(4, "2"),
        answered(3, "6"),
    ), tuple(Probe(answered(50, epsilon), 600) for epsilon in ("1/4", "8"))
