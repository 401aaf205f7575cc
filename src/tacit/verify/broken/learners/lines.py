"""Wrong ways to learn a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.outputs.never import NEVER
from tacit.core.chance.law import Law, certain, product
from tacit.core.cost import Approximate
from tacit.learners.algebra.voting_line import basic
from tacit.mechanisms import StableRelease
from tacit.statistics import Stable, Votes
from tacit.statistics.algebra.line_lead import line_lead
from tacit.verify.cases.algebra import CROWD, NullableRow, counted
from tacit.verify.enumeration import Case

PLANE = Lines(3)
RELEASE = StableRelease(1, "1/20")
Rows = tuple[NullableRow, ...]


def _observed_only(database: Rows) -> Law[Any]:
    """Look for the runner-up among the hypotheses that got a vote: unseen ones are forgotten."""
    votes = Counter(basic(PLANE, counted((row,))) for row in database)
    if len(votes) == 1:
        return certain(next(iter(votes)))
    lead: Stable[Any] = Votes(len(database), switch=True, table=votes).lead()
    return RELEASE.law(lead).map(lambda found: found or NEVER)


def _in_both_polls(database: Rows) -> Law[Any]:
    """Let every row vote in the poll of the small blocks and in that of the large ones."""
    poll = Votes.of([basic(PLANE, counted((row,))) for row in database])
    return product([RELEASE.law(poll.lead())] * 2)


def _refusing(database: Rows) -> Law[Any]:
    """Insist that all positives lie on one line, as a realisable sample does, and fail if not."""
    sample = counted(database)
    positive = sample.points[sample.positives[:, 0] > 0]
    if len(positive) > 1 and not any(line(positive).all() for line in PLANE.concepts()):
        return certain("positives must lie on one line")
    lead = line_lead(PLANE, sample, most=RELEASE.distance(0))
    return RELEASE.law(lead).map(lambda found: found or NEVER)


def _whole_gap(database: Rows) -> Law[Any]:
    """Take the lead of the best line for its distance: one replaced row moves it by 2."""
    sample = counted(database)
    ones = sample.positives[:, 0]
    scores = []
    for line in PLANE.concepts():
        on = ones[line(sample.points.reshape(-1, 2))]
        scores.append((int(on.sum()) - int(on.max(initial=0)), line))
    (best, line), (second, _) = sorted(scores, key=lambda score: -score[0])[:2]
    return RELEASE.law(Stable(line, best - second)).map(lambda found: found or NEVER)


def _case(target: str, setting: str, n: int, law: Callable[[Rows], Law[Any]]) -> Case:
    claim = Approximate(1, Fraction(1, 20))
    return Case(target, setting, "broken", claim, CROWD, n, law)


CASES = (
    _case("line-vote-among-observed", "5 voters of one row", 5, _observed_only),
    _case("line-vote-in-both-polls", "5 rows, each a block of both polls", 5, _in_both_polls),
    _case("line-learner-refuses", "as printed, 4 rows", 4, _refusing),
    _case("line-lead-not-halved", "5 rows", 5, _whole_gap),
)
