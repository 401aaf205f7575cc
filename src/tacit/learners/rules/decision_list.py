"""A list of rules, chosen one after the other, each for the rows that the earlier ones left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from tacit.concepts import Cells, Concept, ConceptClass
from tacit.concepts.rules.decision_lists import DecisionList, DecisionLists
from tacit.core import Accuracy, Exact, InvalidArgument, Law, Privacy, Random, check, hold
from tacit.core.composition import calibrate
from tacit.core.cost import BoundedRange, Repeat
from tacit.learners.contract import Request, Unpromising, entry_of
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.statistics.score_profile import check_rows, inside

C = TypeVar("C", bound=Concept)
LENGTH = 4
"""Rules of a list, if nothing else is said: few enough to be read."""
CAUTION = 2
"""How many right rows outweigh a wrong one."""
STOP = 10
"""To stop weighs so many times what all concepts together do."""
LARGEST = 1 << 60
"""Weights above this are Python integers: sums of smaller ones fit into 64 bits."""
Step = tuple[Any, int]
"""A concept, and the label that it gives."""


@dataclass(frozen=True, slots=True)
class DecisionListLearner(Unpromising, Generic[C]):
    """Grow a decision list rule by rule; stop early where no rule is worth it.

    Each step chooses a concept h and a label b, or to stop, by the exponential mechanism. Its score
    looks at the rows that no earlier rule covers: 1 for one that h covers and b is right for,
    -caution for one that b is wrong for, nothing for one that is left to later rules, and nothing
    for stopping; so large and nearly pure parts come first. To stop weighs more than all concepts
    together, so that a rule must earn its place. The last step chooses what is said otherwise.

    Guarantee:
        Given the rules so far, a row adds between -caution and 1 to each score, which therefore has
        sensitivity 1 in units of 1 + caution: each step is of bounded range `epsilon`. The cost is
        that of length + 1 such steps, whatever the list. Nothing is promised about the error.

    Exactness:
        As `Exponential`, step by step.

    Cost:
        length + 1 times `BoundedRange(epsilon)`, one after the other; time as the class's `cells`
        on what is left, for each step.

    >>> from tacit.concepts.rules.conjunctions import Conjunctions
    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = DecisionListLearner(Conjunctions(2, 1), epsilon=1)
    >>> people = [((old, fit), (old and not fit,)) for old in (0, 1) for fit in (0, 1)] * 60
    >>> learner(LabelCounts.of(people, labels=1), rng=Seeded(1)).rule(["old", "fit"])
    'if old is 0 then no, else if fit is 0 then yes, else no'

    Proof: docs/proofs/decision_list.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    length: int
    caution: int

    proper: ClassVar[bool] = False
    """Never: a list is not a concept of the class."""
    theorem: ClassVar[str] = "Riv87"
    """Where lists come from; it promises no error for private greedy ones."""

    def __init__(
        self,
        concepts: ConceptClass[C],
        *,
        epsilon: Exact,
        length: int = LENGTH,
        caution: int = CAUTION,
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon)
        hold(self).count(length=length, caution=caution, least=1)

    @classmethod
    def within(
        cls,
        concepts: ConceptClass[C],
        privacy: Privacy,
        *,
        length: int = LENGTH,
        caution: int = CAUTION,
    ) -> DecisionListLearner[C]:
        """Return the learner whose steps together keep this promise.

        >>> from tacit.concepts.rules.conjunctions import Conjunctions
        >>> pure = DecisionListLearner.within(Conjunctions(3, 1), Privacy(1), length=9)
        >>> mild = DecisionListLearner.within(Conjunctions(3, 1), Privacy(1, "1e-6"), length=9)
        >>> float(pure.epsilon), float(mild.epsilon)
        (0.1, 0.15...)
        """
        steps = check.count(length=length, least=1) + 1
        if not privacy.delta:
            return cls(concepts, epsilon=privacy.epsilon / steps, length=length, caution=caution)
        each = calibrate(privacy, lambda epsilon: Repeat(BoundedRange(epsilon), steps))
        return cls(concepts, epsilon=each, length=length, caution=caution)

    @property
    def hypotheses(self) -> DecisionLists:
        """Decision lists over the class."""
        return DecisionLists(self.concepts)

    @property
    def cost(self) -> Repeat:
        """What learning one label costs."""
        return Repeat(BoundedRange(self.epsilon), self.length + 1)

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the class can score."""
        return self.concepts.largest_sample

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Refuse: no number of rows is known to be enough."""
        raise InvalidArgument(
            f"the greedy list promises no error, alpha={accuracy.alpha} or any other; "
            "leave alpha out, or choose the generic learner"
        )

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> DecisionList:
        """Learn one label."""
        choose, left = Exponential(self.epsilon), self._inside(sample, label)
        rules: tuple[Step, ...] = ()
        for _ in range(self.length):
            step = choose(self._steps(left), rng=rng)
            if step is None:
                break
            rules, left = (*rules, step), _uncovered(left, step[0])
        return _short(rules, choose(_ends(left), rng=rng))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[DecisionList]:
        """Return the exact law of the list, for classes small enough to list."""
        return self._law((), self._inside(sample, label))

    def _law(self, rules: tuple[Step, ...], left: LabelCounts) -> Law[DecisionList]:
        choose = Exponential(self.epsilon)
        ended = choose.law(_ends(left)).map(lambda said: _short(rules, said))
        if len(rules) == self.length:
            return ended
        return choose.law(self._steps(left)).then(
            lambda step: (
                ended if step is None else self._law((*rules, step), _uncovered(left, step[0]))
            )
        )

    def _steps(self, left: LabelCounts) -> ScoreProfile[Step | None]:
        """Score all steps on the rows that are left: concepts with no, concepts with yes, stop."""
        check_rows(self.concepts, left.n)
        ones, size = left.positives[:, 0], self.concepts.size
        rest = left.totals - ones
        no = self.concepts.cells(left.points, rest - self.caution * ones)
        yes = self.concepts.cells(left.points, ones - self.caution * rest)
        weights = (no.multiplicities, yes.multiplicities, [STOP * size])
        wide = object if STOP * size > LARGEST else np.int64
        return ScoreProfile(
            np.concatenate([no.gains, yes.gains, np.zeros(1, dtype=np.int64)]),
            np.concatenate([np.asarray(part, dtype=wide) for part in weights]),
            partial(_step, (no, yes)),
            sensitivity=1 + self.caution,
        )

    def _inside(self, sample: LabelCounts, label: int) -> LabelCounts:
        """Return the sample with one label, its points clipped, and those that meet merged."""
        counts = np.column_stack((sample.totals, sample.positives[:, label]))
        points, counts = inside(self.concepts, sample.points, counts)
        return LabelCounts(sample.n, 1, points, counts[:, 0], counts[:, 1:])


def _uncovered(left: LabelCounts, concept: Concept) -> LabelCounts:
    """Keep the rows on which the concept does not hold; the others become null rows."""
    stays = ~concept(left.points)
    return LabelCounts(left.n, 1, left.points[stays], left.totals[stays], left.positives[stays])


def _step(cells: tuple[Cells[Any], Cells[Any]], cell: int, rank: int) -> Step | None:
    """Return the step at a place of the profile."""
    for said, part in enumerate(cells):
        if cell < len(part.gains):
            return part.member(cell, rank), said
        cell -= len(part.gains)
    return None


def _ends(left: LabelCounts) -> ScoreProfile[int]:
    """Score what may be said otherwise by the rows that are left."""
    negatives = left.negatives()
    return ScoreProfile.of([negatives, int(left.totals.sum()) - negatives])


def _short(rules: tuple[Step, ...], otherwise: int) -> DecisionList:
    """Return the same function without rules that cannot matter.

    Such are those after a concept without conditions, and last ones that say what is said
    otherwise.
    """
    for place, (concept, said) in enumerate(rules):
        if getattr(concept, "literals", None) == () and not getattr(concept, "negated", False):
            rules, otherwise = rules[:place], said
            break
    while rules and rules[-1][1] == otherwise:
        rules = rules[:-1]
    return DecisionList(rules, otherwise)


def _make(request: Request) -> DecisionListLearner[Any]:
    return DecisionListLearner.within(request.concepts, request.privacy)


ENTRY = entry_of(
    DecisionListLearner,
    "decision-list",
    "if-then-else rules of the class, one after the other; promises no error",
    pure=True,
    make=_make,
)
