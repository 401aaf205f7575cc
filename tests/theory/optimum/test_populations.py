"""The populations of the optimum: whoever is said to fail errs enough, and on points enough."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.theory.optimum.automorphisms import automorphisms, of_labels
from tacit.theory.optimum.databases import Databases, class_program
from tacit.theory.optimum.populations import labels_of, populations

LINE = np.array([[x >= t for x in range(3)] for t in range(4)])


@pytest.mark.parametrize("alpha", [F(1, 10), F(1, 4), F(1, 3), F(1, 2), F(3, 4)])
@pytest.mark.parametrize("labels", [1, 2])
@pytest.mark.parametrize("agnostic", [False, True])
def test_failures_are_errors_of_alpha_at_least(alpha: F, labels: int, agnostic: bool) -> None:
    """In the limit; and no more points are heavier than alpha than there is mass for beside it."""
    m = 4 - labels
    line = np.unique(LINE[:, :m], axis=0)
    pairs, _ = of_labels(automorphisms(line), line, labels)
    every = (np.arange(1 << m * labels)[:, None] >> np.arange(m * labels) & 1).astype(bool)
    said = labels_of(m << labels, labels)
    for population in populations(pairs, every, alpha, agnostic=agnostic, labels=labels):
        masses = np.array(population.masses, dtype=object)
        assert masses.sum() == 1
        wrong = [
            [
                (said[:, j] != row[j * m + (np.arange(m << labels) >> labels)]) @ masses
                for j in range(labels)
            ]
            for row in every
        ]
        best = [min(each[j] for each in wrong) for j in range(labels)]
        for errors, fails in zip(wrong, population.fails, strict=True):
            excess = max(e - least for e, least in zip(errors, best, strict=True))
            assert excess >= alpha or not fails
        right = next(i for i, each in enumerate(wrong) if each == best and not population.fails[i])
        alone = [i for i, row in enumerate(every) if (row != every[right]).sum() == 1]
        heavy = {
            int(np.flatnonzero(every[i] != every[right])[0]) % m
            for i in alone
            if population.fails[i]
        }
        assert len(heavy) * alpha < 1


def test_rows_are_explained_label_by_label() -> None:
    """Without alpha: a database is judged if each of its labels has a concept without mistakes."""
    listing = class_program(
        LINE[:3, 1:], n=2, alpha=None, proper=True, agnostic=False, pure=True, labels=2
    )
    databases = Databases.of(2, 2, labels=2)
    said, point = databases.said, np.arange(8) >> 2
    explained = {
        tuple(rows.tolist())
        for rows in databases.histograms
        if all(
            any(not rows[said[:, j] != concept[point]].sum() for concept in LINE[:3, 1:])
            for j in (0, 1)
        )
    }
    assert {judgement.name for judgement in listing.judgements} == explained
    assert 0 < len(explained) < len(databases.histograms)
