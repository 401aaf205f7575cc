"""Learning where how many records there are is secret: by a public number in place of theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Any

from tacit.core.accuracy import Accuracy
from tacit.core.composition import price
from tacit.core.cost import Added, Approximate, Cost, Parallel, Pure
from tacit.core.errors import InvalidArgument, SampleTooSmall
from tacit.core.numbers.enclosures import log_upper
from tacit.core.privacy import Privacy
from tacit.learners.contract.entry import Request
from tacit.learners.contract.model import Model
from tacit.learners.made_from.added import AddedLearner, AddedMeasuredLearner
from tacit.learners.made_from.by_person import WEIGHT, ByPerson, weighs
from tacit.learners.made_from.measured import measured_cost, measured_share
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.measuring.group_measurement import pooled
from tacit.mechanisms.told_number import ToldNumber
from tacit.workflows.charging import Prepared
from tacit.workflows.learned.question import AUTO, TableQuestion
from tacit.workflows.measuring import ALL

TOLD = Fraction(1, 20)
"""The share of epsilon that tells how many records there are, unless that is declared."""
UNSURE = Fraction(1, 10)
"""The share of beta for a number that is told too large, and as much for coins that hold out."""


def of_secret_number(question: TableQuestion, sample: Any, rows: int | None) -> Prepared[Model]:
    """Choose what learns by the `rows` that are declared, or else by a number told with noise.

    Guarantee:
        (epsilon, delta)-DP for added records. All that depends on how many there are depends on the
        number that was declared, or told for a twentieth of epsilon (docs/proofs/added.md).
    """
    secret = _Secret(question)
    return secret.told(sample) if rows is None else secret.declared(sample, rows)


@dataclass(frozen=True, slots=True)
class _Secret:
    """What learns from records of whom a public number is known, or about known."""

    question: TableQuestion

    def declared(self, sample: Any, rows: int) -> Prepared[Model]:
        """Return what is drawn for a declared number."""
        request = self._request
        mechanism, model = self.made(rows, request.privacy, (rows, request.beta))
        blank = replace(self._paid(model, mechanism.cost), declared=True)
        return self._prepared(sample, mechanism, blank, self._filled)

    def told(self, sample: Any) -> Prepared[Model]:
        """Return what is drawn where the number is told first."""
        request = self._request
        if request.alpha is not None:
            raise InvalidArgument(
                "alpha (--alpha) is promised for a number of rows, which is secret: declare how "
                "many there are at least (--rows)"
            )
        total, lost = request.privacy, UNSURE * request.beta
        rest = Privacy((1 - TOLD) * total.epsilon, total.delta)
        off = DiscreteLaplace(TOLD * total.epsilon).deviation(lost) - 1

        @cache
        def at(n: int) -> tuple[Any, Model]:
            return self.made(n, rest, (max(n - off, 0), request.beta - lost))

        mechanism, model = at(0)
        leaf: Cost = Approximate(rest.epsilon, rest.delta) if rest.delta else Pure(rest.epsilon)
        if self.question.share:
            leaf = Parallel(leaf, measured_cost(mechanism.epsilon, mechanism.learner.labels))
        then = Added(leaf) if self.question.plan is None else mechanism.cost
        whole = ToldNumber(TOLD * total.epsilon, lambda n: at(n)[0], then)

        def filled(blank: Model, drawn: tuple[int, Any]) -> Model:
            public = replace(at(drawn[0])[1], cost=blank.cost, privacy=blank.privacy)
            return self._filled(public, drawn[1])

        return self._prepared(sample, whole, self._paid(model, whole.cost), filled)

    def made(self, n: int, budget: Privacy, known: tuple[int, Fraction]) -> tuple[Any, Model]:
        """Return what learns from about n records, and what is released but for what is drawn.

        `known` is how many there are at least, and how unsure what is promised of them may be.
        """
        question, request = self.question, self._request
        learned, unit = int(n * (1 - question.share)), question.unit
        plan = question.planned(learned, budget)
        made = plan.entry(question.ask(plan.concepts, n=max(learned, 1), privacy=budget))
        means = unit.person and request.alpha is None and weighs(made, learned)
        weight = WEIGHT if means else 1
        learner = AddedLearner(ByPerson(made, weight) if unit.person else made, learned)
        least, unsure = self._least(*known)
        alpha = request.alpha
        needed = 0 if alpha is None else learner.sample_size(Accuracy(alpha, unsure))
        if needed > least:
            raise SampleTooSmall(needed=needed, got=least, theorem=made.theorem)
        promised = learner.accuracy(least, unsure) if weight == 1 else None
        accuracy = None if promised is None else Accuracy(promised.alpha, request.beta)
        paid = {"cost": learner.cost, "privacy": budget, "weight": weight}
        model = question.blank(plan, made.hypotheses, request, n=n, accuracy=accuracy, **paid)
        if not question.share:
            return learner, model
        each = measured_share(budget, learner.labels)
        cuts: dict[str, Any] = {"place": question.place, "edges": question.edges}
        whole = AddedMeasuredLearner(learner, share=question.share, epsilon=each, **cuts)
        return whole, replace(model, groups=model.groups or ALL)

    @property
    def _request(self) -> Request:
        return self.question.ask(None, n=1)

    def _least(self, n: int, beta: Fraction) -> tuple[int, Fraction]:
        """Return how many of n records are learned from at least, and what is left of beta.

        Hoeffding: fewer than the mean by t or more with probability at most e^(-2 t^2 / n).
        """
        share = self.question.share
        if not share:
            return n, beta
        reach = n * log_upper(1 / (UNSURE * beta)) / 2
        least = int(n * (1 - share)) - isqrt(int(reach) + 1) - 1
        return max(least, 0), (1 - UNSURE) * beta

    def _paid(self, model: Model, cost: Added) -> Model:
        delta = self._request.privacy.delta
        return replace(model, cost=cost, privacy=Privacy(price(cost, delta).privacy.epsilon, delta))

    def _filled(self, blank: Model, drawn: Any) -> Model:
        hypotheses, told = drawn if self.question.share else (drawn, ())
        return replace(blank, hypotheses=hypotheses, grouped=pooled(told))

    def _prepared(
        self, sample: Any, mechanism: Any, blank: Model, told: Callable[[Model, Any], Model]
    ) -> Prepared[Model]:
        what = AUTO if self.question.plan is None else blank.concepts
        purpose = self.question.purpose(what)
        return Prepared(sample, self.question.coding.sizes, mechanism, blank, told, purpose)
