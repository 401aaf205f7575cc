"""The numbers that show the errors found in the papers, and that the page tells what we know."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb, exp, floor, log, log2
from pathlib import Path

import numpy as np
import pytest

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.contract.finite import Finite
from tacit.core.accuracy import Accuracy
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner
from tacit.learners.algebra.line import LineLearner
from tacit.learners.every_class.converse import hit_probability, runs_for
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile
from tacit.theory.communication.augmented_index import index_bits
from tacit.theory.impossible.packing import packing
from tacit.theory.impossible.unseen_points import unseen
from tacit.theory.papers import (
    communication_witnesses,
    multiple_witnesses,
    representation_witnesses,
)
from tacit.theory.papers.errata import ERRATA, KINDS, Erratum
from tacit.theory.papers.multiple_witnesses import DELTA, FACTOR, selection_delta, told
from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.witness import Witness, said
from tacit.theory.solving.class_table import sauer
from tests.support.written_pages import errata_page

ROOT = Path(__file__).parents[3]
F = Fraction


MODULES = (communication_witnesses, representation_witnesses, multiple_witnesses)
WITNESSED = {name: module for module in MODULES for name in module.WITNESSES}
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?")


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=lambda found: found.id)
def test_the_guard_exists(erratum: Erratum) -> None:
    assert erratum.paper in REFERENCES
    if not erratum.guard:
        return
    name, _, test = erratum.guard.partition("::")
    text = (ROOT / name).read_text()
    assert re.search(rf"^def {test}\(" if test else r"^def test_", text, re.MULTILINE)


def test_most_errata_are_guarded() -> None:
    assert sum(bool(found.guard) for found in ERRATA.values()) >= len(ERRATA) - 11
    serious = [found for found in ERRATA.values() if found.kind == "statement"]
    assert all(found.guard and found.id in WITNESSED for found in serious)


def test_the_page_is_what_is_known() -> None:
    """Write it again with `print(errata_page(), end="")`."""
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == errata_page()


def _written(text: str) -> list[tuple[float, float]]:
    """The numbers in a text, each with half a unit of its last digit."""
    found = []
    for number in NUMBER.findall(text):
        above, _, below = number.replace(",", "").partition("/")
        digits = above.partition("e")[0].partition(".")[2]
        unit = 10.0 ** (-len(digits) + int(above.partition("e")[2] or 0))
        found.append((float(above) / float(below or 1), 0.0 if below else unit / 2))
    return found


@pytest.mark.parametrize("name", WITNESSED)
def test_what_a_witness_shows(name: str) -> None:
    """The witness shows what its erratum's kind says, and the page tells its number."""
    erratum = ERRATA[name]
    assert erratum.stands()
    shown = erratum.witness()
    assert shown is not None
    numbers = [float(number) for number in (*shown.printed, *(shown.ours or ()))]
    assert any(
        abs(number - found) <= unit * 1.001 + 1e-12 and number != 0
        for number, unit in _written(erratum.shown_by)
        for found in numbers
    ), (numbers, erratum.shown_by)


def test_a_witness_belongs_to_its_paper() -> None:
    for name, module in WITNESSED.items():
        assert ERRATA[name].witness() == module.WITNESSES[name]()
    assert ERRATA["A13"].witness() is None
    assert ERRATA["A13"].stands()


def test_a_kind_that_the_witness_does_not_show_is_noticed() -> None:
    """What is loose is not wrong, what is wrong is not loose, and what is ours must hold."""
    assert not replace(ERRATA["A7"], kind="statement").stands()
    assert not replace(ERRATA["C1"], kind="loose").stands()
    assert not Witness(said(2, 1), ours=said(2, 1)).refutes
    assert not Witness(said(1, 1)).refutes
    assert not Witness(said(1, 1)).loosens


def test_an_erratum_has_a_kind_and_quotes_the_paper() -> None:
    with pytest.raises(InvalidArgument, match="kind must be one of statement, proof"):
        replace(ERRATA["A1"], kind="error")
    with pytest.raises(InvalidArgument, match="must quote"):
        replace(ERRATA["A1"], says=" ")
    assert {found.kind for found in ERRATA.values()} == set(KINDS)


def test_half_the_gap_is_not_enough() -> None:
    """What we once printed as the correction of A_dist: its delta is e^epsilon delta / 2."""
    half = selection_delta(lambda gap: told(DELTA * 2**gap))
    assert half == FACTOR * DELTA / 2 == F(1, 50) > DELTA


def test_rows_of_one_printed_run_for_lines() -> None:
    """Accuracy (0.05, 1/2) and privacy (1, 1e-6), by the constants of Appendix B.1."""
    largest = floor(log2(log(3 / 2) / 0.05) + 6 / 0.5)
    blocks = ceil(max(12 * log(1 / (1e-6 * 0.5)) + 13, 72 * log(4 / 1e-6)))
    assert 2**largest * blocks == 32768 * 1095 == pytest.approx(35.9e6, rel=1e-3)
    ours = LineLearner(Lines(7), epsilon=1, delta="1e-6")
    assert ours.sample_size(Accuracy("0.1", "0.05")) <= 1915


def _misses(candidates: int, gap: int) -> Fraction:
    """The chance that one best candidate is passed over for others that are `gap` behind."""
    profile = ScoreProfile([gap, 0], np.array([1, candidates - 1]), lambda cell, _: cell)
    return 1 - Exponential(1).cells(profile).probabilities[0]


def test_augmented_index_beyond_one_half() -> None:
    assert index_bits(100, "0.9") == 0
    assert 100 * (1 + 0.9 * log2(0.9) + 0.1 * log2(0.1)) == pytest.approx(53.1, abs=0.01)


def test_one_n_does_not_serve_all_accuracies() -> None:
    assert pytest.approx(0.452, abs=1e-3) == 0.999**100 / 2
    assert unseen(alpha="0.001", beta="0.452") > 99


def test_sauers_sum_is_more_than_the_points() -> None:
    concepts = Finite([[0, 0], [0, 1], [1, 0]])
    assert concepts.vc.upper == 1
    assert concepts.size == sauer(1, 2) == 3 > concepts.domain_size


def test_the_rows_of_lemma_14() -> None:
    """Event E3 with 100 hypotheses, alpha = 0.01, beta = 1/80; E2 at its number of rows."""
    printed, correct = ceil(2 * log(8000)), ceil(200 * log(8000))
    assert (printed, correct) == (18, 1798)
    assert _misses(100, printed // 100 + 1) > F(98, 100)
    assert _misses(100, correct // 100 + 1) < F(1, 80)
    rows = ceil(400 / 3 * log(8000))
    assert 100 * exp(-rows * 0.01 / 4) > 4
    assert 100 * exp(-rows * 0.03 / 4) < 0.0125
    learner = GenericLearner(
        Finite([[int(i == j) for j in range(100)] for i in range(100)]), epsilon=1
    )
    assert printed < learner.sample_size(Accuracy("0.01", "1/80"))


def test_lemma_14_with_much_privacy_budget() -> None:
    rows = ceil(3 / (0.1 * 50) * (log(2) + log(100)))
    failure = sum(
        comb(rows, i)
        * comb(rows - i, j)
        * 0.1**i
        * 0.61**j
        * 0.29 ** (rows - i - j)
        / (1 + exp(25 * (j - i)))
        for i in range(rows + 1)
        for j in range(rows + 1 - i)
    )
    assert rows == 4
    assert failure == pytest.approx(0.0852, abs=1e-4)
    ours = GenericLearner(Finite([[0], [1]]), epsilon=50).sample_size(Accuracy("0.1", "0.01"))
    assert 0.9**ours <= 0.01


def test_the_rows_of_lemma_28() -> None:
    """10^6 solutions, alpha = 0.1, beta = 0.01: the logarithm of their number is not enough."""
    solutions = 10**6
    printed, correct = (ceil(20 * log(each * 100)) for each in (log(solutions), solutions))
    assert (printed, correct) == (145, 369)
    assert _misses(solutions, printed // 10 + 1) > F(99, 100)
    assert _misses(solutions, correct // 10 + 1) < F(1, 100)


def test_the_runs_of_lemma_29() -> None:
    hit = hit_probability(Pure(1), 1, "1/2")
    assert runs_for(hit, "1/100") == 23
    assert (1 - float(hit)) ** 4 > 0.4


def test_a_coin_learns_two_constants() -> None:
    """No bound of ours forbids what a coin does: no rows, and failure one half."""
    assert packing(2, epsilon=1, delta=0, mass="0.1", beta="0.5") == 0
    assert packing(2, epsilon=1, beta="0.5") == 0


def test_rows_without_privacy_are_needed_too() -> None:
    assert unseen(alpha="0.02", beta="0.05") == 114
    assert log(2) / (0.01 * 10**4) < 0.007


def test_repetitions_are_rounded_up() -> None:
    assert 0.25 ** floor(log(1 / 0.2)) > 0.2 >= 0.25 ** ceil(log(1 / 0.2) / log(4))
