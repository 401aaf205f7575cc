"""Refutation by sampling, for targets that have no finite law to enumerate.

No finite number of runs proves privacy: the verdict is "refuted" or "not refuted".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from tacit.core import Approximate, Exact, Pure, Random, check
from tacit.probability.clopper_pearson import at_least, at_most
from tacit.verify.finding import Finding, Kind, Verdict

LARGEST_EVENT = 64
"""An event is of at most so many features: more are each too rare to add to what is proved."""


def granularity(output: object) -> Hashable:
    """Summarise an output for the classifier; a float by its size and by the grid it lies on.

    Which floating-point numbers can occur at all is what gives textbook noise away, so the
    position of the lowest set bit is kept beside the rounded value [Mir12].

    >>> granularity(1.5), granularity("a")
    ((2, 2), 'a')
    """
    if isinstance(output, float):
        if not math.isfinite(output):
            return repr(output)
        bits = output.as_integer_ratio()[1].bit_length()
        return min(bits, 64), max(-8, min(8, round(output)))
    return output if isinstance(output, Hashable) else repr(output)


@dataclass(frozen=True, slots=True)
class BlackBox:
    """A claim about a program that can only be run: two neighbouring databases, a feature map."""

    target: str
    setting: str
    kind: Kind
    claim: Pure | Approximate
    first: Any
    second: Any
    run: Callable[[Any, Random], Any]
    feature: Callable[[Any], Hashable] = granularity


def audit(box: BlackBox, *, trials: int = 20_000, failure: Exact = "1e-9", rng: Random) -> Finding:
    """Find an event by which the two databases differ, and bound the loss it proves.

    Half of the runs choose an event (a likelihood-ratio classifier over features) and a direction;
    the other half, untouched by the choice, bound its two probabilities by Clopper-Pearson at level
    failure / 2 each.

    Guarantee:
        If the claim is true, the verdict is "refuted" with probability at most `failure`, whatever
        the classifier chose [CP34].
    """
    trials = check.count(trials=trials, least=100)
    level = float(check.probability(failure=failure)) / 2
    half = trials // 2
    delta = float(box.claim.delta) if isinstance(box.claim, Approximate) else 0.0
    learn = [_features(box, database, half, rng) for database in (box.first, box.second)]
    test = [_features(box, database, half, rng) for database in (box.first, box.second)]
    best = max(
        ((a, b, event) for a, b in ((0, 1), (1, 0)) for event in _events(learn[a], learn[b])),
        key=lambda choice: _loss(choice[2], learn[choice[0]], learn[choice[1]], level, delta),
    )
    a, b, event = best
    found = max(0.0, _loss(event, test[a], test[b], level, delta))
    claimed = float(box.claim.epsilon)
    share = found / claimed if claimed else math.inf if found else 1.0
    verdict: Verdict = "refuted" if found > claimed else "not refuted"
    return Finding(box, box.claim, "statistical", found, delta, share, 1, verdict)


def _features(box: BlackBox, database: Any, runs: int, rng: Random) -> Counter[Hashable]:
    return Counter(box.feature(box.run(database, rng)) for _ in range(runs))


def _events(p: Counter[Hashable], q: Counter[Hashable]) -> list[frozenset[Hashable]]:
    """Return the nested sets of features with the largest estimated likelihood ratio."""
    ranked = sorted(p, key=lambda f: ((p[f] + 0.5) / (q[f] + 0.5), p[f], repr(f)), reverse=True)
    return [frozenset(ranked[: i + 1]) for i in range(min(len(ranked), LARGEST_EVENT))]


def _loss(
    event: frozenset[Hashable],
    p: Counter[Hashable],
    q: Counter[Hashable],
    level: float,
    delta: float,
) -> float:
    """Return ln((P_low - delta) / Q_high), the loss that the event proves at this level."""
    low = at_least(sum(p[f] for f in event), p.total(), level)
    high = at_most(sum(q[f] for f in event), q.total(), level)
    return math.log((low - delta) / high) if low > delta else -math.inf
