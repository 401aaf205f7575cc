"""Tell who has the votes, at half the price of the exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from tacit.core import Decay, Exact, InvalidArgument, PureCost, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law, collect
from tacit.core.numbers.enclosures import Enclosure, log_upper, lower, real, round_up, upper
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import Votes

ENUMERABLE = 100_000
"""Candidates that a law lists, in about a second."""
NATS = 96
"""A chance to fail below e^-96 is not asked for: powers beyond it would only be long."""
SIGNIFICANT = 64
"""Bits of the share kappa."""
LONGEST, DISTINCT = 1 << 17, 1 << 9
"""Votes up to which failures are listed, and how many of them are computed, in a second at most."""


@dataclass(frozen=True, slots=True)
class VoteTally(PureCost):
    """Tell the candidate with at least `bar` votes that leads by `lead` changed rows, else None.

    The strength of a candidate with c votes, while no other has more than m, is the lesser of
    c - bar and of (c - m) / 2 - lead, rounded down: one row changes it by 1 at most. A leader, of
    strength j >= 0, is told but for q^j (1 - share) and for what the others have; any other
    candidate of strength -j is told with probability share * q^j, q = e^-epsilon; the rest is None.
    With switch=False, where one row can only cast or withdraw a vote, c - m counts in full.

    Guarantee:
        epsilon-DP for every `Votes` of at most `voters` voters. `bar` and `lead` are refused if the
        three conditions of the proof do not hold; `planned` finds those that do. K votes for one
        candidate and none for others fail to tell it with probability `failure(K)`: about
        (ln candidates + 2 ln(1 / beta)) / epsilon votes are enough, where the exponential mechanism
        takes 2 (ln candidates + ln(1 / beta)) / epsilon. On votes that are split it tells nothing.

    Exactness:
        q is a rational >= e^-epsilon, within 2^-63 of it. All probabilities are multiples of one
        power of two, and one uniform integer below that decides.

    Cost:
        `Pure(epsilon)`, of range 2 epsilon and not less; time linear in the candidates with votes.

    >>> from tacit.core.chance.randomness import Seeded
    >>> tally = VoteTally.planned(2**32, 340, 1)
    >>> tally.bar, tally.lead, float(tally.failure(40))
    (23, 11, 0.0001...)
    >>> tally(Votes.of([7] * 60 + [None] * 280), rng=Seeded(0))
    7

    What else was tried: docs/proofs/beyond_exponential.md

    Proof: docs/proofs/tally.md
    """

    candidates: int
    voters: int
    epsilon: Fraction
    bar: int
    lead: int
    switch: bool
    share: Fraction
    decay: Decay = field(repr=False)
    """The factor q by which one row changes a probability at most."""

    def __init__(
        self,
        candidates: int,
        voters: int,
        epsilon: Exact,
        *,
        bar: int,
        lead: int,
        switch: bool = True,
    ) -> None:
        hold(self, switch=switch).count(candidates=candidates, bar=bar, lead=lead, least=1)
        hold(self).count(voters=voters).positive(epsilon=epsilon)
        hold(self, decay=Decay.of(self.epsilon))
        if not 2 * lead <= bar <= voters:
            raise InvalidArgument(f"{bar=} must lie between {2 * lead} and {voters}")
        share = self._least_share()
        if share is None:
            raise InvalidArgument(
                f"{bar=} and {lead=} are too low for {voters} votes among so many candidates; use "
                "VoteTally.planned"
            )
        hold(self, share=share)

    @classmethod
    def planned(
        cls, candidates: int, voters: int, epsilon: Exact, *, switch: bool = True
    ) -> VoteTally:
        """Return the tally with the lowest bar, and with the lead that fails least far above it.

        It is for more voters than were asked for if these are too few to reach any bar.

        >>> VoteTally.planned(2**1024, 9000, 1).bar
        711
        """
        epsilon, q = check.positive(epsilon=epsilon), Decay.of(check.positive(epsilon=epsilon))
        start = max(2, int(log_upper(Fraction(candidates)) / epsilon) - 1)

        def made(bar: int, lead: int) -> VoteTally | None:
            try:
                return cls(candidates, max(voters, bar), epsilon, bar=bar, lead=lead, switch=switch)
            except InvalidArgument:
                return None

        bar = least(lambda bar: made(bar, bar // 2) is not None, low=start)
        found = made(bar, bar // 2)
        assert found is not None
        odds = found.share * candidates / (1 - found.share)
        wanted = max(1, int(log_upper(odds / q.ratio) / (2 * epsilon))) if odds > q.ratio else 1
        lead = least(lambda lead: made(bar, lead) is not None, min(wanted, bar // 2), bar // 2)
        return made(bar, lead) or found

    @property
    def reach(self) -> int:
        """Strengths beyond this one, to both sides, count as this one."""
        return self.bar + -(-NATS // self.epsilon)

    @property
    def wrong(self) -> Fraction:
        """The most likely that any of the candidates without votes is told."""
        return min(Fraction(1), upper(lambda: self._everybody(self.bar)))

    def __call__(self, votes: Votes[int], *, rng: Random) -> int | None:
        """Tell a candidate, a number below `candidates`, or None."""
        weights = self._weights(self._counts(votes))
        left = rng.below(1 << weights.bits)
        for candidate, weight in weights.named:
            if left < weight:
                return candidate
            left -= weight
        others = self.candidates - len(weights.named)
        return None if left >= others * weights.each else weights.other(left // weights.each)

    def law(self, votes: Votes[int]) -> Law[int | None]:
        """Return the exact law; for candidates few enough to list."""
        if self.candidates > ENUMERABLE:
            raise TooLarge(f"more than {ENUMERABLE} candidates are too many to list; use `first`")
        return self.first(self.candidates, votes)

    def first(self, few: int, votes: Votes[int]) -> Law[int | None]:
        """Return the exact law of the first few candidates, all others together told as `few`.

        Where these have no votes nothing is lost, for they are equally likely.
        """
        weights = self._weights(self._counts(votes))
        unit, voted = 1 << weights.bits, dict(weights.named)
        told = {c: Fraction(voted.pop(c, weights.each), unit) for c in range(few)}
        unvoted = self.candidates - few - len(voted)
        rest = Fraction(sum(voted.values()) + unvoted * weights.each, unit)
        told |= {few: rest} if few < self.candidates else {}
        return collect([*told.items(), (None, 1 - sum(told.values(), Fraction(0)))])

    def failure(self, votes: int) -> Fraction:
        """Bound the chance that what alone has so many votes is not told.

        >>> [round(float(VoteTally.planned(64, 12, 1).failure(votes)), 4) for votes in (0, 6, 12)]
        [0.9955, 0.4056, 0.0202]
        """
        one, other = self._strength(check.count(votes=votes), 0), self._strength(0, votes)
        if one < 0:
            return 1 - lower(lambda: real(self.share) * self.decay.real(-one))
        untold = 1 - self.share
        return upper(lambda: real(untold) * self.decay.real(one) + self._everybody(-other))

    def _everybody(self, gap: int) -> Enclosure:
        """Enclose what all candidates but one have together, each of strength -gap."""
        return real(self.share) * real(self.candidates - 1) * self.decay.real(gap)

    def _strength(self, votes: int, others: int) -> int:
        lead = (votes - others) // (2 if self.switch else 1) - self.lead
        return max(-self.reach, min(self.reach, votes - self.bar, lead))

    def _counts(self, votes: Votes[int]) -> dict[int, int]:
        """Return the votes of each candidate that has any; who votes for nobody's name abstains."""
        if votes.voters > self.voters or votes.switch > self.switch:
            raise InvalidArgument(f"this tally is for votes of {self.voters}, {self.switch=}")
        return {c: k for c, k in votes.table.items() if k and 0 <= c < self.candidates}

    def _weights(self, counts: dict[int, int]) -> _Weights:
        """Return what each candidate weighs, in units of a public power of two."""
        most, second = [*sorted(counts.values(), reverse=True), 0, 0][:2]
        ratio, reach = self.decay.ratio, self.reach
        step, cut = ratio.denominator.bit_length() - 1, self.share.denominator.bit_length() - 1
        bits = step * reach + cut

        def weight(part: Fraction, power: int) -> int:
            whole = _power(ratio.numerator, power) * int(part * (1 << cut))
            return whole << step * (reach - power)

        strengths = {c: self._strength(k, second if k == most else most) for c, k in counts.items()}
        powers = {j: weight(self.share, -j) for j in set(strengths.values()) if j < 0}
        named = {c: powers.get(j, 0) for c, j in strengths.items()}
        each = weight(self.share, -self._strength(0, most))
        for c, j in strengths.items():
            if j >= 0:  # the leader, of whom there is one at most, gets what the others leave
                taken = sum(named.values()) + (self.candidates - len(named)) * each
                named[c] = (1 << bits) - taken - weight(1 - self.share, j)
        return _Weights(bits, tuple(sorted(named.items())), each)

    def _least_share(self) -> Fraction | None:
        """Return the least share that the conditions of the proof allow, or None."""
        q = self.decay.ratio
        crowd = self._others(self.lead - 1)
        if crowd >= 1:
            return None
        share = round_up(q / (1 + q) / (1 - crowd), SIGNIFICANT)
        highest = max(Fraction(1), upper(lambda: self.decay.real(self.lead)) + self._others(0))
        return share if share * (1 + q) * highest <= 1 else None

    def _others(self, ahead: int) -> Fraction:
        """Bound the sum of q^-strength of all but one, who leads by so many changed rows."""
        bar, rest = self.bar, self.voters - self.bar + self.lead - ahead
        most = min(bar - self.lead - ahead, rest)

        def total() -> Enclosure:
            nobody = self.decay.real(bar)
            crowd = (self.decay.real(bar - most) - nobody) * rest / most
            return nobody * (self.candidates - 1) + crowd

        return upper(total)


@dataclass(frozen=True, slots=True, repr=False)
class _Weights:
    """What those with votes weigh, and anybody else, over 2^bits."""

    bits: int
    named: tuple[tuple[int, int], ...]
    each: int

    def other(self, rank: int) -> int:
        """Return the candidate of this rank among those without votes."""
        for candidate, _ in self.named:
            if candidate > rank:
                break
            rank += 1
        return rank


@lru_cache(maxsize=1024)
def missed_votes(tally: VoteTally, floor: Fraction, distinct: int = DISTINCT) -> Missed:
    """Return the chances that what alone has votes is not told, until they are at most the floor.

    What is missed with more votes than are listed is to be added: the floor at most.
    """
    if tally.failure(LONGEST) > floor:
        raise TooLarge(f"failures are listed for up to {LONGEST} votes; give more budget")
    end = least(lambda votes: tally.failure(votes) <= floor)
    step = -(-end // distinct)  # more votes never fail more often, so the first of a step bounds it
    return Missed(f for c in range(0, end, step) for f in [tally.failure(c)] * step)


@lru_cache(maxsize=1024)
def _power(base: int, exponent: int) -> int:
    return int(base**exponent)
