"""From one kind to every other and back: what is declared is carried along, and it is true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from benchmarks import circle

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.statistics import LabelCounts
from tacit.workflows.converting import KINDS, convert, way_between

F = Fraction


@pytest.mark.parametrize("trip", circle.TRIPS[::10], ids=str)
def test_round_the_circle_every_promise_is_kept(trip: circle.Trip) -> None:
    assert not list(trip.broken())


def test_a_promise_that_is_broken_is_found_out() -> None:
    """The same steps with declarations that are too good: each of them is told."""
    trip = circle.TRIPS[4]
    first, drawn, protocol, last = trip.steps
    poor = [
        replace(first, size=2),
        replace(drawn, declared={**drawn.declared, "failure": drawn.exact["failure"] / 2}),
        replace(protocol, declared={"error": protocol.exact["error"] / 2}),
        replace(last, size=2),
    ]
    for i, step in enumerate(poor):
        other = circle.Trip(trip.seed)
        steps = (*trip.steps[:i], step, *trip.steps[i + 1 :])
        object.__setattr__(other, "steps", steps)
        assert list(other.broken()), step.kind


def test_the_choice_that_judges_learners_is_the_learners_own() -> None:
    """Its chances on one sample, written anew, against the law of the learner made from sets."""
    trip = circle.TRIPS[0]
    last, protocol = trip.steps[-1], trip.steps[2].value
    x = (0, 2)
    rows = [(x[0], (0,))] * 3 + [(x[1], (1,))] * 2
    law = last.value.law(LabelCounts.of(rows, labels=1))
    ratio = Decay.of(last.value.epsilon / 2).ratio
    for pattern in product((False, True), repeat=2):
        chance = F(0)
        for p, _, said in protocol.mixture:
            wrong = 3 * said[:, x[0]] + 2 * ~said[:, x[1]]
            weights = [ratio ** int(e) for e in wrong]
            alike = (said[:, list(x)] == pattern).all(axis=1)
            chance += (
                p * sum((w for w, a in zip(weights, alike, strict=True) if a), F(0)) / sum(weights)
            )
        found = sum(
            (p for h, p in law.probabilities.items() if tuple(h(np.array(x))) == pattern), F(0)
        )
        assert found == chance


@pytest.mark.parametrize(("start", "end"), list(product(KINDS, repeat=2)))
def test_every_kind_becomes_every_other(start: str, end: str) -> None:
    steps = convert("thresholds(values=3)", start, end)
    assert [step.kind for step in steps] == [start, *way_between(start, end)]
    assert steps[-1].kind == end
    for step in steps:
        for name in set(step.exact) & set(step.declared):
            assert step.exact[name] <= step.declared[name]
        assert (step.nats is None) == (step.kind == "learner")
        if step.nats is not None and step.bits is not None:
            assert abs(step.nats - step.bits * log(2)) < 1e-9


def test_families_of_any_size_carry_what_is_declared() -> None:
    wide = convert("points(bits=64)", "protocol", "representation", error="1/100")
    assert wide[1].size == wide[0].size == 100
    assert wide[1].declared["failure"] == 4 * wide[0].declared["error"]
    assert not wide[1].exact
    hashed = convert("points(bits=64)", "representation", "learner", alpha="1/50", failure="1/50")
    assert (hashed[1].declared["alpha"], hashed[1].declared["beta"]) == (F(1, 20), F(1, 4))
    long = convert("thresholds(bits=32)", "learner", "protocol", alpha="1/10", beta="1/10")
    assert long[1].nats is not None
    assert long[0].size < long[1].nats < long[0].size + 3
    assert long[2].size == long[1].size
    assert long[2].declared["error"] == F(1, 10) + F(1, 20) - F(1, 200)
    lines = convert("lines(p=101)", "protocol", "learner", error="1/100", alpha="1/5")
    assert lines[1].declared["alpha"] == F(1, 5)
    given = convert("points(values=3)", "learner", "representation", n=30)
    assert given[0].size == 30
    assert given[0].declared["alpha"] == given[1].declared["distance"] < F(1, 5)


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="one of learner"):
        convert("points(values=3)", "leaner", "game")
    with pytest.raises(InvalidArgument, match="not known"):
        convert("points(values=3)", "learner", "game", learner="nobody")
    with pytest.raises(InvalidArgument, match="too poor"):
        convert("thresholds(values=3)", "protocol", "learner", error="49/100", beta="1/1000")
    with pytest.raises(TooLarge):
        convert("points(bits=64)", "protocol", "game")
    with pytest.raises(InvalidArgument, match="take more rows"):
        convert("points(bits=8)", "learner", "representation", n=1, beta="1/100")
