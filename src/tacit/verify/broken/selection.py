"""Wrong ways to choose among candidates."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tacit.concepts.line.thresholds import Thresholds
from tacit.core import BoundedRange, Decay, Law, Pure, hold
from tacit.core.chance.law import product as joint
from tacit.learners.thresholds.tree_threshold import TreeThresholdLearner
from tacit.mechanisms import Exponential, NearChoice, PermuteAndFlip, VoteTally
from tacit.mechanisms.choice.near_choice import Penalties
from tacit.statistics import LabelCounts, ScoreProfile, Votes
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
ROWS = tuple(product(range(3), (0, 1)))
VOTES = (0, 1, 2, None)
POINTS = tuple(tuple(int(x == z) for x in range(3)) for z in range(3))


def _agreements(database: Rows) -> list[int]:
    return [sum(h[x] == y for x, y in database) for h in POINTS]


def _chosen(scores: list[int], epsilon: Fraction = EPSILON) -> Law[int]:
    return Exponential(epsilon).law(ScoreProfile.of(scores))


@twin(Pure(EPSILON), ROWS, 4)
def exponential_without_half(database: Rows) -> Law[int]:
    """Weigh by e^(epsilon * score): scores move in both directions, so this spends 2 epsilon."""
    return _chosen(_agreements(database), 2 * EPSILON)


@twin(BoundedRange(EPSILON), ROWS, 4)
def permute_and_flip_as_bounded_range(database: Rows) -> Law[int]:
    """Price permute and flip by a range that it does not have."""
    return PermuteAndFlip(EPSILON).law(ScoreProfile.of(_agreements(database)))


@twin(Pure(EPSILON), ROWS, 4)
def domain_read_off_the_data(database: Rows) -> Law[int]:
    """Offer only the points that occur: what is never offered tells who is absent."""
    present, scores = sorted({x for x, _ in database}), _agreements(database)
    return _chosen([scores[x] for x in present]).map(lambda index: present[index])


@twin(Pure(EPSILON / 16), ROWS, 4)
def candidates_deduplicated(database: Rows) -> Law[int]:
    """Keep one of the candidates that behave alike on the sample; forget how many there were."""
    behaviours = {tuple(h[x] for x, _ in database): z for z, h in reversed(list(enumerate(POINTS)))}
    kept, scores = sorted(behaviours.values()), _agreements(database)
    return _chosen([scores[z] for z in kept], EPSILON / 16).map(lambda index: kept[index])


@twin(Pure(EPSILON), ROWS, 4)
def budget_counted_once(database: Rows) -> Law[tuple[int, ...]]:
    """Choose for a label and for its negation with the whole budget each, and count it once."""
    scores = _agreements(database)
    return joint([_chosen(scores), _chosen([len(database) - score for score in scores])])


@twin(Pure(EPSILON), ROWS, 4)
def best_of_three_runs(database: Rows) -> Law[int]:
    """Run three times, keep the best by the true score, and pay for one run."""
    scores = _agreements(database)
    thrice = joint([_chosen(scores)] * 3)
    return thrice.map(lambda runs: max(runs, key=lambda z: (scores[z], -z)))


def _tallied(
    database: Rows,
    candidates: int,
    share: Fraction,
    *,
    bar: int,
    lead: int,
    switch: bool = True,
    epsilon: Fraction = EPSILON,
) -> Law[int | None]:
    """VoteTally votes with numbers that `VoteTally` would refuse."""
    made, voters = object.__new__(VoteTally), len(database)
    hold(made, candidates=candidates, voters=voters, epsilon=epsilon, bar=bar, lead=lead)
    hold(made, switch=switch, share=share, decay=Decay.of(epsilon))
    return made.first(min(candidates, 5), Votes.of(database, switch=switch))


def _share(part: Fraction) -> Fraction:
    """Return a share in units of 2^-64, for it is drawn in powers of two."""
    return Fraction(round(part * 2**64), 2**64)


@twin(Pure(EPSILON), VOTES, 8)
def tally_without_room_for_the_others(database: Rows) -> Law[int | None]:
    """Take the least share there could be, as if nobody but the leader had a chance."""
    q = Decay.of(EPSILON).ratio
    return _tallied(database, 64, _share(q / (1 + q)), bar=6, lead=1)


@twin(Pure(EPSILON), VOTES, 8)
def tally_with_too_large_a_share(database: Rows) -> Law[int | None]:
    """Tell those below the bar so often that None has not enough left."""
    return _tallied(database, 64, Fraction(7, 8), bar=7, lead=2)


@twin(Pure(Fraction(7, 10)), range(5), 10)
def tally_of_too_many_that_tie(database: Rows) -> Law[int | None]:
    """Let five tie so near the bar that None has not enough left, though a leader is safe."""
    return _tallied(database, 5, Fraction(21, 32), bar=4, lead=2, epsilon=Fraction(7, 10))


@twin(Pure(EPSILON), VOTES, 8)
def tally_with_a_lead_in_votes(database: Rows) -> Law[int | None]:
    """Count the lead in votes, of which a row that changes sides moves two."""
    share = VoteTally(64, 8, EPSILON, bar=7, lead=2, switch=False).share
    return _tallied(database, 64, share, bar=7, lead=2, switch=False)


@twin(BoundedRange(EPSILON), VOTES, 8)
def tally_as_bounded_range(database: Rows) -> Law[int | None]:
    """Price a tally by a range that it does not have: one falls while another rises."""
    return VoteTally(64, 8, EPSILON, bar=7, lead=2).first(3, Votes.of(database))


def _changed(right: NearChoice, **changed: int) -> NearChoice:
    """Return a choice with a number that it would not take."""
    made = object.__new__(NearChoice)
    hold(made, **({name: getattr(right, name) for name in right.__slots__} | changed))
    return made


def _mistakes(database: Rows) -> list[int]:
    return [len(database) - agreements for agreements in _agreements(database)]


@twin(Pure(EPSILON), ROWS, 4)
def near_choice_with_a_low_scale(database: Rows) -> Law[int | None]:
    """Cap the far by a scale that leaves None too little."""
    made = _changed(NearChoice(EPSILON, crowd=(3,) * 4, none="1/20"), scale=2)
    return made.law(Penalties(dict(enumerate(_mistakes(database))), 3))


@twin(Pure(2 * EPSILON), ROWS, 6)
def near_choice_whose_none_stays(database: Rows) -> Law[int | None]:
    """Let None weigh the same however bad the best is, with a scale for one that grows."""
    learner = TreeThresholdLearner(Thresholds(values=3), epsilon=2, rows=2, none="1/50")
    rows = LabelCounts.of([(x, (y,)) for x, y in database], labels=1)
    return _changed(learner.choice, cut=0).law(learner.penalties(rows))


@twin(Pure(EPSILON), ROWS, 4)
def near_choice_by_penalties_added(database: Rows) -> Law[int | None]:
    """Add mistakes and missing rows, both of which one row may move, where the larger counts."""
    made = NearChoice(EPSILON, crowd=(3,) * 4, none="1/20")
    held = [sum(x == z for x, _ in database) for z in range(3)]
    added = [
        wrong + max(0, 2 - many) for wrong, many in zip(_mistakes(database), held, strict=True)
    ]
    return made.law(Penalties(dict(enumerate(added)), 3))
