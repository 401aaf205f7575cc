"""Choices among candidates by their scores, and by votes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from tacit import mechanisms, statistics
from tacit.core.numbers.exact import Exact
from tacit.mechanisms.choice.near_choice import Penalties
from tacit.verify.cases.statement import Audited, Rows, case
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

Hypotheses = list[tuple[int, ...]]
"""Candidates, each by its labels of the points 0, 1, ..."""
POINTS: Hypotheses = [tuple(int(x == z) for x in range(3)) for z in range(3)]
THRESHOLDS: Hypotheses = [tuple(int(x >= z) for x in range(3)) for z in range(4)]


def _scored(
    mechanism: Callable[[Exact], Any], name: str, among: Hypotheses, n: int, epsilon: Exact
) -> Case:
    """Score hypotheses by how many rows they agree with; two constants are the worst case."""

    def scores(database: Rows) -> statistics.ScoreProfile[int]:
        return statistics.ScoreProfile.of([sum(h[x] == y for x, y in database) for h in among])

    universe, tight = product(range(len(among[0])), (0, 1)), name == "constants"
    return case(mechanism(epsilon), n, name, universe, scores, tight=tight)


def exponential() -> Audited:
    """The exponential mechanism on points and thresholds, and where it attains its range."""
    among = partial(_scored, mechanisms.Exponential)
    return (
        *(among("points", POINTS, 3, epsilon) for epsilon in ("1/10", 1, 4)),
        *(among("thresholds", THRESHOLDS, 4, epsilon) for epsilon in ("1/2", 2)),
        among("constants", [(0,), (1,)], 60, 1),
        among("thresholds", THRESHOLDS, 3, 7),
    ), tuple(Probe(among("thresholds", THRESHOLDS, 1000, epsilon)) for epsilon in ("1/20", 8))


def permute_and_flip() -> Audited:
    """Permute and flip on points and thresholds, and where it attains its epsilon."""
    among = partial(_scored, mechanisms.PermuteAndFlip)
    return (
        *(among("points", POINTS, 3, epsilon) for epsilon in ("1/10", 1, 4)),
        *(among("thresholds", THRESHOLDS, 4, epsilon) for epsilon in ("1/2", 2)),
        *(among("constants", [(0, 0), (1, 1)], 3, epsilon) for epsilon in ("1/10", 1, 3)),
        among("points", POINTS, 3, 7),
    ), tuple(Probe(among("points", POINTS, 1000, epsilon)) for epsilon in ("1/20", 8))


def vote_tally() -> Audited:
    """The tally: all counts of votes, abstentions among them, and any number of other candidates.

    Candidates that nobody votes for are told as one, which loses nothing.
    """

    def voted(made: mechanisms.VoteTally, universe: Rows, n: int, *, pairs: bool = False) -> Case:
        """Let records vote one by one, or in pairs that vote if they agree."""
        few = min(1 + max(x for x in universe if x is not None), made.candidates)

        def counted(database: Rows) -> statistics.Votes[int]:
            couples = zip(database[::2], database[1::2], strict=True) if pairs else ()
            votes = [x if x == y else None for x, y in couples] if pairs else database
            return statistics.Votes.of(votes, switch=made.switch)

        def shown(told: int | None) -> int | None:
            return told if told is None else min(told, few)

        about = f"{made.candidates} candidates, bar {made.bar}, lead {made.lead}"
        law = partial(made.first, few)
        return case(
            made, n, about, universe, counted, law=law, shown=shown, tight=True, symmetric=not pairs
        )

    def probed(epsilon: Exact, votes: int, rivals: int) -> Probe:
        made = mechanisms.VoteTally.planned(1 << 64, 1000, epsilon)
        rows = (0,) * votes + (1,) * rivals + (None,) * (1000 - votes - rivals)
        return Probe(voted(made, (0, 1, 2, None), 1000), 300, rows)

    made, three = mechanisms.VoteTally, (0, 1, 2)
    return (
        voted(made(64, 12, 1, bar=8, lead=2), three, 12),
        *(
            voted(made.planned(many, n, epsilon), (*three, None), n)
            for many, n, epsilon in ((10**4, 10, 2), (5, 9, "1/2"), (3, 8, 6), (10**8, 8, 3))
        ),
        voted(made(256, 8, 1, bar=7, lead=2), (*three, 3, None), 8),
        voted(made(3, 9, "3/2", bar=4, lead=1), (*three, None), 9),
        voted(made(16, 4, 1, bar=4, lead=1, switch=False), (0, 1), 8, pairs=True),
        voted(made(9, 4, 6, bar=2, lead=1, switch=False), three, 6, pairs=True),
    ), (probed("1/5", 300, 60), probed(1, 52, 5), probed(8, 9, 3))


def near_choice() -> Audited:
    """The choice of those who are near: here by votes that are lacking, of which few have few."""

    def voted(many: int, n: int, bar: int, epsilon: Exact, none: str) -> Case:
        crowd = [min(many, n // (bar - d)) for d in range(bar)]
        made = mechanisms.NearChoice(epsilon, crowd=crowd, none=none)

        def lacking(database: Rows) -> Penalties:
            votes = statistics.Votes.of(database).table
            return Penalties({c: bar - k for c, k in votes.items() if c is not None and k}, many)

        about = f"{many} candidates, {bar} votes, scale {made.scale}"
        return case(made, n, about, (0, 1, 2, None), lacking)

    def many(epsilon: Exact, bar: int) -> Probe:
        rows = (0,) * bar + (1,) * (bar - 2) + (None,) * (1002 - 2 * bar)
        return Probe(voted(64, 1000, bar, epsilon, "1/20"), 300, rows)

    return (
        voted(5, 8, 4, 1, "1/20"),
        voted(3, 8, 3, "1/2", "1/5"),
        voted(9, 7, 4, 2, "1/50"),
        voted(30, 6, 3, 6, "1/100"),
        voted(3, 7, 6, "3/2", "1/10"),
    ), (many("1/2", 60), many(1, 40), many(8, 5))
