"""Wrong ways to learn a line or a parity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.outputs.never import NEVER
from tacit.core.chance.law import Law, certain, collect, product
from tacit.core.cost import Approximate, Pure
from tacit.learners.algebra.block_parity import BlockParityLearner
from tacit.learners.algebra.parity_odds import ParityOdds
from tacit.learners.algebra.published_line import PublishedLineLearner, frequent
from tacit.learners.algebra.voting_line import basic
from tacit.mechanisms import StableRelease
from tacit.statistics import Stable, Votes
from tacit.statistics.algebra.line_lead import line_lead
from tacit.verify.broken.stability import a_dist
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.algebra import CROWD, counted, cube
from tacit.verify.dealing import by_position

PLANE = Lines(3)
PRINTED = Fraction(1, 10)
CLAIM = Approximate(1, "1/20")
RELEASE = StableRelease(1, "1/20")


def _released(lead: Stable[Any]) -> Law[Any]:
    return RELEASE.law(lead).map(lambda found: found or NEVER)


def _polled(database: Rows) -> list[Any]:
    """Let every row be a voter."""
    return [basic(PLANE, counted((row,))) for row in database]


@twin(CLAIM, CROWD, 5)
def line_vote_among_observed(database: Rows) -> Law[Any]:
    """Look for the runner-up among the hypotheses that got a vote: unseen ones are forgotten."""
    votes = Counter(_polled(database))
    if len(votes) == 1:
        return certain(next(iter(votes)))
    return _released(Votes(len(database), switch=True, table=votes).lead())


@twin(CLAIM, CROWD, 5)
def line_vote_in_both_polls(database: Rows) -> Law[Any]:
    """Let every row vote in the poll of the small blocks and in that of the large ones."""
    return product([RELEASE.law(Votes.of(_polled(database)).lead())] * 2)


@twin(CLAIM, CROWD, 5)
def line_vote_with_a_low_bar(database: Rows) -> Law[Any]:
    """Ask for ln(1 / (2 delta)) / epsilon, without the printed + 1 [FX14 App. B.1, step 3]."""
    single = PublishedLineLearner(
        PLANE, epsilon=1, delta="1/20", voters=len(database), smallest=0, scales=1
    )
    poll = frequent(_polled(database), PLANE.p)
    told = single.told(poll.distance + 1)
    return collect([(poll.value, told), (NEVER, 1 - told)])


@twin(CLAIM, CROWD, 4)
def line_learner_refuses(database: Rows) -> Law[Any]:
    """Insist that all positives lie on one line, as a realisable sample does, and fail if not."""
    sample = counted(database)
    positive = sample.points[sample.positives[:, 0] > 0]
    if len(positive) > 1 and not any(line(positive).all() for line in PLANE.concepts()):
        return certain("positives must lie on one line")
    return _released(line_lead(PLANE, sample, most=RELEASE.distance(0)))


@twin(CLAIM, CROWD, 5)
def line_lead_not_halved(database: Rows) -> Law[Any]:
    """Take the lead of the best line for its distance: one replaced row moves it by 2."""
    sample = counted(database)
    ones = sample.positives[:, 0]
    scores = []
    for line in PLANE.concepts():
        on = ones[line(sample.points.reshape(-1, 2))]
        scores.append((int(on.sum()) - int(on.max(initial=0)), line))
    (best, line), (second, _) = sorted(scores, key=lambda score: -score[0])[:2]
    return _released(Stable(line, best - second))


def _parities(database: Rows, odds: ParityOdds) -> Law[int | None]:
    """Return the law of a parity learner with these odds to keep a row and to give up."""
    codes = [(sum(bit << i for i, bit in enumerate(x)), bool(y), 1) for x, (y,) in database]
    return odds.outcomes(codes, len(database[0][0]))


HALF = Fraction(1, 2)
ONCE, TIMID = ParityOdds.of(Fraction(1), 1), ParityOdds.of(Fraction(3, 2), 1)


@twin(Pure(1), cube(2))
def printed_parity_learner(database: Rows) -> Law[int | None]:
    """Keep a row with probability epsilon = 1/2: printed as 2 epsilon-DP [Vad17 Claim 8.6].

    The truth is ln((1 + epsilon) / (1 - epsilon)), here 1.0986.
    """
    return _parities(database, ParityOdds(HALF, HALF, 1))


@twin(Pure("3/2"), cube(1))
def parity_learner_gives_up_too_rarely(database: Rows) -> Law[int | None]:
    """Give up a tenth less often than privacy asks for."""
    return _parities(database, ParityOdds(TIMID.keep, TIMID.bottom * Fraction(9, 10), 1))


@twin(Pure(1), cube(1), 4)
def parity_learner_tries_again(database: Rows) -> Law[int | None]:
    """Make 4 attempts on the same rows with the odds of a single one."""
    return _parities(database, ParityOdds(ONCE.keep, ONCE.bottom, 4))


BLOCKS = BlockParityLearner(Parities(1), labels=1, epsilon=1, delta="1/20")


def _fitting(rows: Rows) -> list[int]:
    return [c for c in (0, 1) if all(c * x == y for (x,), (y,) in rows)]


@cache
def _plain_vote(rows: Rows) -> tuple[int, ...] | None:
    return (fits[0],) if len(fits := _fitting(rows)) == 1 else None


@cache
def _printed_vote(rows: Rows) -> int | None:
    """Vote for a parity that agrees with the rows, if there is one [BNS16 Alg 4, step 2]."""
    return next(iter(_fitting(rows)), None)


def _printed_choice(votes: Iterable[int | None]) -> Law[int | None]:
    """Choose the parity of most blocks by the printed A_dist [BNS16 Alg 4, step 3]."""
    cast = Counter(vote for vote in votes if vote is not None)
    return a_dist(cast.most_common(), None, delta=PRINTED)


@twin(CLAIM, cube(1), 6, symmetric=False)
def block_parity_without_a_spare_row(database: Rows) -> Law[Any]:
    """Vote whenever the rows fix a parity: without a spare row one of them can turn the vote.

    The lead is then halved too rarely: it is told as if votes could only be cast and withdrawn.
    """
    return by_position([2, 2, 2], _plain_vote, BLOCKS.law_of_votes)(database)


@twin(Approximate(1, PRINTED), cube(1), 6, symmetric=False)
def printed_block_parity_learner(database: Rows) -> Law[Any]:
    """Let blocks vote and choose by the printed A_dist [BNS16 Alg 4]: a row can turn a vote."""
    return by_position([2, 2, 2], _printed_vote, _printed_choice)(database)
