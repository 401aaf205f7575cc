"""Several parties learn one conjunction; each sends a single noisy message, and nobody is trusted.

Every party makes its message on its own machine from its own rows; anybody who has the messages can
combine them, and all who do get the same hypothesis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.concepts import Concept
from tacit.core import Accuracy, Decay, Exact, Law, PureCost, check, hold
from tacit.core.chance.randomness import Random, is_secure
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TacitError
from tacit.learners.queries.query_oracle import QueryPlan
from tacit.learners.queries.statistical_queries import ConjunctionQueries, clipped, count, learned
from tacit.mechanisms import DiscreteLaplace
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import NoisyZeroTest

FORMAT = "tacit-party-1"
PUBLIC = ("format", "dims", "monotone", "epsilon", "context")
"""What the messages of all parties must agree on."""


@dataclass(frozen=True, slots=True)
class PartyCounts(PureCost):
    """How often each literal is violated by a yes, told by one party with noise of its own.

    Guarantee:
        epsilon-DP for each row of the party, towards all others together, whatever they hold and
        however they conspire [BNO08]: their view depends on the party's rows through its message
        only. On n >= `sample_size` i.i.d. rows of all parties together, labelled by one
        conjunction, what `combine` makes of their messages has error at most alpha with probability
        at least 1 - beta.

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)` a message.

    >>> counts = PartyCounts(4, epsilon=1)
    >>> counts.sample_size(Accuracy(0.1, 0.05), parties=2)
    1772

    Proof: docs/proofs/parties.md
    """

    dims: int
    epsilon: Fraction
    monotone: bool

    def __init__(self, dims: int, *, epsilon: Exact, monotone: bool = True) -> None:
        hold(self, monotone=monotone).count(dims=dims, least=1).positive(epsilon=epsilon)

    @property
    def algorithm(self) -> ConjunctionQueries:
        """What is asked: a literal stays unless there is a yes that violates it."""
        return ConjunctionQueries(self.dims, self.monotone)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> tuple[int, ...]:
        """Return the noisy counts of one party, in the order of `algorithm.literals`."""
        return tuple(self._laplace(self.exact(sample, label), rng=rng).tolist())

    def law(
        self, sample: LabelCounts, /, *, label: int = 0, low: int, high: int
    ) -> Law[tuple[int, ...]]:
        """Return the exact law of the counts, cut off at low and high as in `DiscreteLaplace`."""
        return self._laplace.law(self.exact(sample, label), low=low, high=high)

    def sample_size(self, accuracy: Accuracy, /, *, parties: int = 2) -> int:
        """Return how many rows are enough, those of all parties together."""
        return self._plan(accuracy.beta, parties).sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact, *, parties: int = 2) -> Accuracy | None:
        """Return what n rows of all parties together are enough for, or None."""
        return self._plan(check.probability(beta=beta), parties).accuracy(n, beta)

    def learn(self, totals: Sequence[int], beta: Exact, *, parties: int) -> Concept:
        """Return the hypothesis from the noisy counts, added up over the parties."""
        most = self.cut(beta, parties=parties)
        return self.algorithm.kept([total <= most for total in totals])

    def cut(self, beta: Exact, *, parties: int) -> int:
        """Return up to which noisy total a literal counts as never violated."""
        return self._plan(check.probability(beta=beta), parties).test.cut(0).count

    def exact(self, sample: LabelCounts, label: int) -> list[int]:
        """Return the counts without noise: they never leave the party."""
        found: list[int] = []

        def answer(query: Any) -> Fraction:
            found.append(count(sample, clipped(self.algorithm.hypotheses, query), label=label))
            return Fraction(0)

        learned(self.algorithm.run(Fraction(0)), answer)
        return found

    @property
    def _laplace(self) -> DiscreteLaplace:
        """One row is in every count at most once."""
        return DiscreteLaplace(self.epsilon, sensitivity=self.algorithm.queries)

    def _plan(self, beta: Fraction, parties: int) -> QueryPlan:
        parties = check.count(parties=parties, least=2)
        times = self.algorithm.queries
        test = NoisyZeroTest(Decay.of(self.epsilon / times), beta / times, parties)
        return QueryPlan(self.algorithm, test, dealt=False)


@dataclass(frozen=True, slots=True)
class Joint:
    """What several parties learned together; `accuracy` is None where nothing can be promised."""

    hypothesis: Concept
    parties: tuple[str, ...]
    n: int
    cost: Pure
    accuracy: Accuracy | None
    secure: bool


def party_message(
    counts: PartyCounts,
    sample: LabelCounts,
    *,
    party: str,
    context: str = "",
    label: int = 0,
    rng: Random,
) -> dict[str, Any]:
    """Return one party's message, a JSON object: all that ever leaves its machine.

    `context` is any text that the parties must agree on, such as the schema and the columns.
    """
    return {
        "format": FORMAT,
        "party": party,
        "n": sample.n,
        "dims": counts.dims,
        "monotone": counts.monotone,
        "epsilon": str(counts.epsilon),
        "context": context,
        "counts": [int(told) for told in counts(sample, label=label, rng=rng)],
        "secure": is_secure(rng),
    }


def combine(messages: Sequence[Mapping[str, Any]], *, beta: Exact = Fraction(1, 20)) -> Joint:
    """Learn from the messages of all parties; a deterministic function of them.

    >>> from tacit.core.chance.randomness import Seeded
    >>> counts = PartyCounts(2, epsilon=1)
    >>> def rows(n):
    ...     return LabelCounts.of([((1, j % 2), (1,)) for j in range(n)], labels=1)
    >>> north = party_message(counts, rows(500), party="north", rng=Seeded(1))
    >>> south = party_message(counts, rows(900), party="south", rng=Seeded(2))
    >>> joint = combine([north, south])
    >>> joint.hypothesis.rule(["fever", "cough"]), joint.n, joint.secure
    ('fever is 1', 1400, False)
    """
    if len(messages) < 2:
        raise InvalidArgument(f"messages must come from two parties or more, got {len(messages)}")
    read = [_read(message) for message in messages]
    for name in PUBLIC:
        if len({message[name] for message in read}) > 1:
            raise InvalidArgument(f"the parties do not agree on {name}")
    parties = tuple(message["party"] for message in read)
    if len(set(parties)) < len(parties):
        raise InvalidArgument(f"a party sends one message, got {', '.join(parties)}")
    counts = PartyCounts(read[0]["dims"], epsilon=read[0]["epsilon"], monotone=read[0]["monotone"])
    totals = [sum(told) for told in zip(*(message["counts"] for message in read), strict=True)]
    n = sum(message["n"] for message in read)
    return Joint(
        hypothesis=counts.learn(totals, beta, parties=len(parties)),
        parties=parties,
        n=n,
        cost=counts.cost,
        accuracy=counts.accuracy(n, beta, parties=len(parties)),
        secure=all(message["secure"] is True for message in read),
    )


def _read(message: Mapping[str, Any]) -> dict[str, Any]:
    """Check a message; whoever sent it may have sent anything."""
    try:
        if message["format"] != FORMAT:
            raise InvalidArgument(f"not a party's message: the format must be {FORMAT!r}")
        told = [
            check.count(counts=abs(c)) if c >= 0 else -check.count(counts=-c)
            for c in message["counts"]
        ]
        counts = PartyCounts(
            message["dims"], epsilon=message["epsilon"], monotone=message["monotone"] is True
        )
        if len(told) != counts.algorithm.queries:
            raise InvalidArgument(f"counts must be {counts.algorithm.queries}, got {len(told)}")
        return {
            **{name: message[name] for name in PUBLIC},
            "epsilon": counts.epsilon,
            "monotone": counts.monotone,
            "party": str(message["party"]),
            "n": check.count(n=message["n"]),
            "counts": told,
            "secure": message["secure"],
        }
    except (KeyError, TypeError) as error:
        if isinstance(error, TacitError):
            raise
        raise InvalidArgument(f"not a party's message: {error} is missing or malformed") from None
