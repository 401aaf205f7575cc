"""How far our learners are from the optimum of a small class, by their exact laws."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, inf
from typing import Any

from tacit.core.chance.law import Law, product
from tacit.core.errors import TacitError
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.mechanisms import Exponential, PermuteAndFlip
from tacit.statistics import JointCounts, ScoreProfile
from tacit.theory.optimum.databases import Answers
from tacit.theory.optimum.optimum import ClassOptimum, Optimum

SECONDS = 5.0
"""What the laws of one learner may take, on all databases."""
USUAL = Fraction(1, 20)
"""The beta that learners are made for."""

ALWAYS = ("permute-and-flip", "generic")
"""Learners that are compared however long it takes: milliseconds a database."""
LONG = ("hashed-point", "selected")
"""Learners that are quick to plan, but whose laws list millions of hashes."""

LawOf = Callable[[JointCounts], Law[Any]]


@dataclass(frozen=True, slots=True)
class Regret:
    """What a learner of ours loses where the best private one loses at least `lower`."""

    name: str
    loss: Fraction
    lower: Fraction

    @property
    def ratio(self) -> float | None:
        """How many times the optimum that is, at most; None where the optimum is 0."""
        return float(self.loss / self.lower) if self.lower > 0 else None


class _TooSlow(Exception):
    """Its laws take too long."""


def regrets(
    best: ClassOptimum, *, seconds: float = SECONDS, tell: Callable[[str], None] = lambda _: None
) -> tuple[list[Regret], dict[str, str]]:
    """Return the losses of our learners, least first, and why others were left out.

    Each is made for the budget of the optimum, and its exact law computed on every database, if
    that takes no more than so many seconds.

    >>> from tacit.theory.optimum.optimum import optimum
    >>> compared, _ = regrets(optimum("thresholds(values=2)", n=3, epsilon=1, proper=True))
    >>> [each.name for each in compared][:2]
    ['permute-and-flip', 'generic']
    """
    asked, privacy = best.question, best.privacy
    concepts = asked.concepts
    labels, share = asked.labels, privacy.epsilon / asked.labels
    request = Request(concepts, privacy, asked.n, asked.alpha, USUAL, asked.agnostic, labels)
    flip = PermuteAndFlip(share)

    def flipped(sample: JointCounts) -> Law[Any]:
        counts = sample.marginal()
        profiles = (ScoreProfile.agreements(concepts, counts, label=j) for j in range(labels))
        return product(map(flip.law, profiles))

    laws: dict[str, LawOf] = {"permute-and-flip": flipped}
    found, left_out = [], {}
    for name, entry in CATALOGUE.items():
        allowed = entry.proper or not asked.proper
        if entry.suits(request) and entry.make is not None and not entry.by_party and allowed:
            if entry.slow or name in LONG:
                left_out[name] = "a single law of it may take minutes"
                continue
            try:
                laws[name] = entry(request).law
            except TacitError as error:
                left_out[name] = str(error)
    for name, law in laws.items():
        tell(f"comparing {name}")
        try:
            within = inf if name in ALWAYS else seconds
            found.append(Regret(name, _loss(best, law, within), best.lower))
        except TacitError as error:
            left_out[name] = str(error)
        except _TooSlow:
            left_out[name] = f"its exact laws take more than {seconds:.0f} seconds"
    return sorted(found, key=lambda each: each.loss), left_out


def laws_on(best: ClassOptimum, rows: Sequence[tuple[Any, int]]) -> dict[str, Law[Answers]]:
    """Return what the best learner, and the exponential mechanism, put out for these labelled rows.

    Hypotheses are written as their answers, point by point.

    >>> from tacit.theory.optimum.optimum import optimum
    >>> best = optimum("points(values=2)", n=2, epsilon=1, proper=True)
    >>> laws = laws_on(best, [(1, 1), (1, 1)])
    >>> [(name, round(float(law[False, True]), 3)) for name, law in laws.items()]
    [('optimum', 0.816), ('exponential', 0.731)]
    """
    asked, points = best.question, best.question.concepts.domain()
    names = [tuple(x.tolist()) if x.ndim else int(x) for x in points]
    counts = Counter((names.index(x), y) for x, y in rows)
    histogram = tuple(counts[place, y] for place in range(len(names)) for y in (0, 1))
    request = Request(asked.concepts, best.privacy, asked.n, None, USUAL, asked.agnostic)
    sample = JointCounts.of([(x, (bool(y),)) for x, y in rows], labels=1)
    drawn = CATALOGUE["generic"](request).law(sample)
    said = drawn.map(lambda found: tuple(found[0](points).tolist()))
    return {"optimum": best.on(histogram), "exponential": said}


def vote_regrets(best: Optimum, candidates: int, n: int, mass: Fraction) -> list[Regret]:
    """Return how often the exponential mechanism and permute-and-flip miss the target of votes.

    >>> from tacit.theory.optimum.optimum import votes
    >>> worse = vote_regrets(votes(64, n=12, epsilon=1), 64, 12, Fraction(1))
    >>> [(each.name, round(float(each.loss), 4)) for each in worse]
    [('permute-and-flip', 0.0742), ('exponential', 0.1351)]
    """
    epsilon, size = best.privacy.epsilon, candidates
    choose, flip = Exponential(epsilon), PermuteAndFlip(epsilon)

    def exponential(k: int) -> Fraction:
        return choose.cells(ScoreProfile([k, 0], [1, size - 1], lambda cell, _: cell))[1]

    def permute_and_flip(k: int) -> Fraction:
        return flip.failure(k, size=size) if k else Fraction(size - 1, size)

    return [
        Regret(
            name,
            sum(
                (
                    comb(n, k) * mass**k * (1 - mass) ** (n - k) * failure(k)
                    for k in range(n + 1)
                    if mass < 1 or k == n
                ),
                Fraction(0),
            ),
            best.lower,
        )
        for name, failure in (("permute-and-flip", permute_and_flip), ("exponential", exponential))
    ]


def _loss(best: ClassOptimum, law: LawOf, seconds: float) -> Fraction:
    databases = best.listing.databases.histograms
    points, labels = best.question.concepts.domain(), best.question.labels
    marks = best.listing.databases.said.tolist()
    names = [tuple(x.tolist()) if x.ndim else int(x) for x in points]
    answers: dict[Any, Answers] = {}
    end = time.monotonic() + seconds

    def said(hypotheses: tuple[Any, ...]) -> Answers:
        if hypotheses not in answers:
            answers[hypotheses] = tuple(a for h in hypotheses for a in h(points).tolist())
        return answers[hypotheses]

    def on(s: int) -> Law[Answers]:
        if time.monotonic() > end:
            raise _TooSlow
        rows = [
            (names[cell >> labels], marks[cell])
            for cell, many in enumerate(databases[s].tolist())
            for _ in range(many)
        ]
        return law(JointCounts.of(rows, labels=labels)).map(said)

    return best.listing.worst(on)
