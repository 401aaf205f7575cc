"""The local model inside a curator's table: a local learner's reports, made up from few counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from tacit.concepts import Concept, ConceptClass
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Law, Random, TooLarge, hold
from tacit.core.cost import Pure
from tacit.learners.contract import Request, entry_of
from tacit.learners.queries.local import LocalLearner
from tacit.learners.queries.local_to_queries import SimulatedReport
from tacit.learners.queries.private_queries import share
from tacit.learners.queries.query_oracle import QueryLearner, some, some_law
from tacit.learners.queries.statistical_queries import queries_for
from tacit.learners.queries.statistical_query import StatisticalQueryLearner
from tacit.mechanisms import DiscreteLaplace, RandomisedResponse
from tacit.mechanisms.noise.inversion import Inversion
from tacit.probability.binomial_exact import between
from tacit.theory.enough.simulated_zero_test import SimulatedZeroTest
from tacit.theory.enough.zero_test import LEAST, LocalZeroTest

C = TypeVar("C", bound=Concept)
LOCAL, SURER, FINER = 3, 64, (Fraction(1), Fraction(9, 10), Fraction(4, 5), Fraction(7, 10))
"""What `planned` simulates: the epsilon of a report, and how much better than asked it shall be."""
DETOUR = 2
"""Seldom more than so many times the rows are needed that are without it."""
MOST, PLANNED = 1 << 27, 1 << 18
"""No query has more reports, as each of them is drawn; plans stop at about the second number."""


@dataclass(frozen=True, slots=True)
class SimulatedLocalLearner(QueryLearner[C]):
    """Let a local learner hear `reports` made-up people for each query: the converse of `local`.

    For each query a curator publishes one noisy count. A report of a person drawn from the
    population is then simulated from it, by statistical queries about the randomiser alone, again
    and again; the local learner cannot tell, and concludes as ever.

    Guarantee:
        epsilon-DP on every sample, also for the transcript: the epsilon of the reports does not
        matter, for they are about nobody. Accurate, as in `Promising`, on n = `sample_size` rows
        [KLNRS11, Sec. 5.1.2]; `accuracy` says what holds for any other n. What local reports can
        teach, statistical queries can.

    Exactness:
        As `DiscreteLaplace`; reports are rational coins.

    Cost:
        `Pure(epsilon)` a label; one pass over the rows and `reports` coins for each query.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics import LabelCounts
    >>> goal = Accuracy("0.1", "0.05")
    >>> learner = SimulatedLocalLearner.planned(Thresholds(10), epsilon=1, accuracy=goal)
    >>> learner.reports, learner.sample_size(goal)
    (910, 1900)
    >>> rows = [(x, (x >= 600,)) for x in range(0, 1024)] * 3
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).rule(["dose"])
    'dose is at least 636'

    Proof: docs/proofs/statistical_queries.md
    """

    local: LocalLearner[C]
    reports: int
    epsilon: Fraction
    beta: Fraction

    theorem: ClassVar[str] = "KLNRS11"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, local: LocalLearner[C], *, reports: int, epsilon: Exact, beta: Exact = Fraction(1, 20)
    ) -> None:
        hold(self, local=local).count(reports=reports, least=1).positive(epsilon=epsilon)
        hold(self).probability(beta=beta)
        if reports > MOST:
            raise TooLarge(f"{reports} reports would be drawn for each query: at most {MOST}")

    @classmethod
    def planned(
        cls, concepts: ConceptClass[C], *, epsilon: Exact, accuracy: Accuracy
    ) -> SimulatedLocalLearner[C]:
        """Return the learner with a local one that would do a little better than asked for.

        Of some that are more and more exact, the one with which the fewest rows suffice.
        """
        algorithm, made = queries_for(concepts), []
        level = accuracy.beta / algorithm.queries
        surer = max(min(level**2, level / SURER), min(LEAST, level))
        local = LocalLearner(concepts, epsilon=LOCAL, beta=surer * algorithm.queries)
        for part in FINER:
            better = Accuracy(accuracy.alpha * part, local.beta)
            reports = local.sample_size(better) // algorithm.queries
            made.append(cls(local, reports=reports, epsilon=epsilon, beta=accuracy.beta))
        useful = [learner for learner in made if learner.reachable(accuracy.alpha)]
        best = useful[0] if useful else made[-1]
        for learner in useful[1:]:
            if learner.sample_size_below(accuracy, best.sample_size(accuracy)):
                best = learner
        return best

    @property
    def concepts(self) -> ConceptClass[C]:  # type: ignore[override]
        """What the local learner learns."""
        return self.local.concepts

    def reachable(self, alpha: Fraction) -> bool:
        """Whether there are reports enough for alpha, with any number of rows."""
        return self._test.reachable(self.algorithm.gap(alpha))

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n found for which the bound keeps the promise.

        The learner is made for its own beta: it cannot promise a smaller one.
        """
        if not self.reachable(accuracy.alpha):
            raise InvalidArgument(
                f"reports={self.reports} are too few for alpha={float(accuracy.alpha):.3g}; "
                "see planned"
            )
        return QueryLearner.sample_size(self, accuracy)

    def sample_size_below(self, accuracy: Accuracy, n: int, /) -> bool:
        """Whether fewer than n rows are certainly enough: quicker than to say how many."""
        return self._plan.enough(n - 1, accuracy)

    def chance(self, told: int, rows: int) -> Fraction:
        """Return how likely a simulated report is a yes, given a noisy count of so many rows.

        A person's answer to the query is all that the randomiser sees, so queries about it are
        answered by the share of those who say yes.
        """
        return _yes(self.local.epsilon, share(told, rows))

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Simulate reports from the noisy count, and compare the number of yeses with the cut."""
        yes = self.chance(DiscreteLaplace(self._rate)(found, rng=rng), rows)
        heard = Inversion.rational(1 - yes, yes).draw(self.reports, rng=rng)
        return some(int(heard.sum()), self._test.cut(0), rng=rng)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        """Return the exact law of the answer."""
        cut = self._test.cut(0)

        def heard(told: int) -> Law[Fraction]:
            yes = self.chance(told, rows)
            at, beyond = (between(cut.count + k, self.reports, self.reports, yes) for k in (1, 2))
            return some_law(at, beyond, cut)

        noisy = DiscreteLaplace(self._rate).law(found, low=0, high=max(rows, 1))
        return noisy.then(heard)

    @property
    def _test(self) -> SimulatedZeroTest:
        each = Fraction(1, self.algorithm.queries)
        local = LocalZeroTest(Decay.of(self.local.epsilon), self.local.beta * each)
        return SimulatedZeroTest(local, self.reports, Decay.of(self._rate), self.beta * each)


@lru_cache(maxsize=1024)
def _yes(epsilon: Fraction, yes: Fraction) -> Fraction:
    report = SimulatedReport(RandomisedResponse(epsilon).law, 0, epsilon=epsilon)
    return report.report_law(lambda query: (1 - yes) * query(0) + yes * query(1))[1]


def _check_reports(concepts: ConceptClass[Any], accuracy: Accuracy) -> None:
    """Refuse what would take very many reports, before their number is sought."""
    algorithm = queries_for(concepts)
    test = LocalZeroTest(Decay.of(Fraction(LOCAL)), accuracy.beta / algorithm.queries)
    if (reports := test.about(algorithm.gap(accuracy.alpha))) > PLANNED:
        raise TooLarge(
            f"more than {reports} reports would be drawn for each query, and at most {PLANNED} "
            "are planned for: the learner statistical-query needs fewer rows"
        )


def _make(request: Request) -> SimulatedLocalLearner[Any]:
    """Plan for the accuracy that is asked for, or for one that so many rows can have."""
    concepts, epsilon, beta = request.concepts, request.privacy.epsilon, request.beta
    alpha = request.alpha
    if alpha is not None:
        _check_reports(concepts, Accuracy(alpha, beta))
    else:
        direct = StatisticalQueryLearner(concepts, epsilon=epsilon, beta=beta)
        possible = direct.accuracy(request.n // DETOUR, beta)
        alpha = possible.alpha if possible else Fraction(1, 2)
    return SimulatedLocalLearner.planned(concepts, epsilon=epsilon, accuracy=Accuracy(alpha, beta))


ENTRY = entry_of(
    SimulatedLocalLearner,
    "simulated-local",
    "a local learner whose reports are made up from noisy counts: the converse of local",
    families=("thresholds", "points", "conjunctions"),
    beaten_by="statistical-query",
    make=_make,
    price=lambda request: Pure(request.privacy.epsilon),
    slow=True,
)
