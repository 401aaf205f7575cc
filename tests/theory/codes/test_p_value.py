"""Tracing by p-values: sound for any word, equal to brute force, and the sweep over people."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest
from typer.testing import CliRunner

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.interfaces.cli.application import app
from tacit.interfaces.cli.checks.attack_sweep import read_sizes
from tacit.theory.codes import SymmetricTardos
from tacit.theory.codes.p_value import RATES, PValueTardos
from tacit.verify.attack import one_point
from tacit.verify.attack.named import learner
from tacit.verify.attack.sweep import Step, stops, sweep


def _exact(biases: list[float], word: list[bool], score: float) -> float:
    """Return P[S >= score] for a user whose bits are drawn by themselves, over all of them."""
    total = 0.0
    for bits in product((False, True), repeat=len(word)):
        chance, found = 1.0, 0.0
        for p, said, bit in zip(biases, word, bits, strict=True):
            chance *= p if bit else 1 - p
            gain = math.sqrt((1 - p) / p) if bit else -math.sqrt(p / (1 - p))
            found += gain if said else -gain
        total += chance * (found >= score - 1e-9)
    return total


def test_a_p_value_is_no_less_than_the_exact_chance() -> None:
    code = PValueTardos(SymmetricTardos(4, soundness="0.01", columns=9))
    for seed in range(5):
        book = code.generate(rng=Seeded(seed))
        word = book.issued()[seed % 4]
        kinds = np.searchsorted(book.starts, book.place // 64, side="right") - 1
        biases = book.biases[kinds].tolist()
        found = code.log_p_values(book, word)
        scores = code.code.trace(book, word).scores
        for log, score in zip(found.tolist(), scores.tolist(), strict=True):
            exact = _exact(biases, word.tolist(), score)
            assert exact <= math.exp(log) * (1 + 1e-9)
            assert log <= max(-RATES[0], 0.0) + 1e-9


def test_strangers_are_hardly_ever_accused_and_members_are() -> None:
    code = PValueTardos(SymmetricTardos(6, soundness="0.02", columns=300))
    rng, wrong, right = Seeded(3), 0, 0
    for _ in range(150):
        book = code.generate(rng=rng)
        words = book.issued()
        wrong += bool(code.trace(book, words[1:].sum(axis=0) > 2).fired[0])
        right += bool(code.trace(book, words.sum(axis=0) > 3).fired.any())
    assert wrong <= 10  # Bin(150, 0.02) exceeds 10 with probability 3e-4, and the seed is fixed
    assert right >= 140


def test_where_tracing_stops_is_read_from_the_end() -> None:
    class Found:
        runs, soundness = 20, 0.001

        def __init__(self, traced: int) -> None:
            self.traced = traced

    steps = [Step(n, Found(t)) for n, t in ((2, 20), (4, 0), (8, 20), (16, 1), (32, 0))]  # type: ignore[arg-type]
    assert stops(steps) == 16
    assert stops(steps[:3]) is None


def test_a_private_learner_is_not_traced_where_the_best_rules_are() -> None:
    def private(setting: object, rows: int) -> object:
        return learner("generic", setting, labels=200, privacy=Privacy(1, "1/16"), rows=rows)  # type: ignore[arg-type]

    found = sweep((3,), private, labels=200, runs=6, rng=Seeded(5))  # type: ignore[arg-type]
    assert not found[0].traceable


def test_refusals_name_options_that_there_are() -> None:
    with pytest.raises(InvalidArgument, match="--code boneh-shaw"):
        learner("statistical-query", one_point(4), labels=8, privacy=Privacy(1, 0), rows=4)
    for wrong in ("2,x", "1,4", "4,9999"):
        with pytest.raises(InvalidArgument, match="--sweep"):
            read_sizes(wrong)


def test_the_command_sweeps() -> None:
    asked = ["attack", "--sweep", "2,40", "--labels", "150", "--learner", "constant", "--runs", "8"]
    said = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    erm, constant = said["learners"]
    assert erm["sizes"][0]["traced"] == 8
    assert erm["untraceable_from"] == 40
    assert constant["untraceable_from"] == 2
    assert constant["sizes"][0]["epsilon_at_least"] == 0
    assert "n(150) = 40 people" in CliRunner().invoke(app, asked).stdout
