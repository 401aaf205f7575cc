"""Learning by statistical queries: with noisy answers, randomised reports, and simulated ones."""

from __future__ import annotations

from collections.abc import Callable, Generator
from fractions import Fraction
from functools import partial
from typing import Any

from tacit import concepts, learners
from tacit.verify.cases.statement import Audited, Row, Rows, case, rows, rows_of
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
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


def _asks(tolerance: Fraction, /) -> Generator[Any, Fraction, tuple[Fraction, Fraction]]:
    """Ask about yeses, then about one of two points, by the first answer; return all answers."""
    first = yield lambda _, label: label
    at = int(first > tolerance)
    second = yield lambda point, _: point == at
    return first, second


def _graded(_: Fraction, /) -> Generator[Any, Fraction, tuple[Fraction, Fraction]]:
    """Ask for values between yes and no, one of them out of range, and one that raises."""
    first = yield lambda point, label: Fraction(1 + 4 * point * label, 2)
    second = yield lambda point, label: Fraction(label, point)
    return first, second


def _own(*, adaptive: bool, levels: int = 1) -> learners.OwnQueries:
    asks, domain = _asks if levels == 1 else _graded, concepts.Thresholds(1)
    return learners.OwnQueries(asks, domain, queries=2, adaptive=adaptive, levels=levels)


def _about(own: learners.OwnQueries) -> str:
    values = f", values in parts of 1/{own.levels}" * (own.levels > 1)
    return f"2 queries on {'blocks' if own.adaptive else 'all rows'}{values}"


def private_queries() -> Audited:
    """Private answers to statistical queries, the whole transcript: on blocks, and all at once."""

    def answered(n: int, epsilon: str, *, tight: bool = True, **own: Any) -> Case:
        asked = _own(**{"adaptive": False, **own})
        answers = learners.PrivateQueries(asked, tolerance="1/4", epsilon=epsilon)
        return case(answers, n, _about(asked), rows((0, 1)), tight=tight)

    return (
        answered(4, "1", adaptive=True),
        answered(3, "1/2", adaptive=True, tight=False),
        answered(3, "1"),
        answered(4, "2"),
        answered(3, "6"),
        answered(3, "1", levels=2, tight=False),
    ), (
        *(Probe(answered(50, epsilon), 600) for epsilon in ("1/4", "8")),
        Probe(answered(9, "1", levels=3), 600),
    )


def local_queries() -> Audited:
    """The same without a curator: each row rounds its value and flips it."""

    def answered(n: int, epsilon: str, **own: Any) -> Case:
        asked = _own(**{"adaptive": True, **own})
        answers = learners.LocalQueries(asked, tolerance="1/4", epsilon=epsilon)
        return case(answers, n, f"local, {_about(asked)}", rows((0, 1)))

    return (
        answered(4, "1"),
        answered(3, "1/2"),
        answered(4, "2", levels=2),
        answered(3, "6"),
    ), tuple(Probe(answered(12, epsilon), 600) for epsilon in ("1/4", "8"))


def party_queries() -> Audited:
    """A party's rows in a conversation, as the other sees it: all messages, its own rows fixed."""

    def heard(n: int, epsilon: str, other: int = 2, *, reach: int = 0, **own: Any) -> Case:
        asked = _own(**{"adaptive": True, **own})
        told: dict[str, Any] = {"tolerance": "1/4", "epsilon": epsilon, "parties": 2}
        parties = learners.PartyQueries(asked, **told, reach=reach)
        held = labelled((((0, (0,)), (1, (1,))) * other)[:other])

        def read(database: Rows) -> learners.PartyTables:
            return learners.PartyTables((labelled(database), held))

        about = f"beside {other}, {_about(asked)}"
        return case(parties, n, about, rows((0, 1)), read, labels=1)

    return (
        heard(4, "1"),
        heard(3, "1/2", adaptive=False),
        heard(2, "2", levels=2, reach=1),
        heard(2, "6", 3),
    ), tuple(
        Probe(heard(n, epsilon, adaptive=False), 600) for n, epsilon in ((12, "1/4"), (12, "8"))
    )
