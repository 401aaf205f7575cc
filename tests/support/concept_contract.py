"""What every concept class must keep, checked against the matrix of all its concepts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import duckdb
import numpy as np

from tacit.concepts.contract.concept_class import Concept, ConceptClass, Points
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.core.chance.randomness import Seeded
from tacit.statistics import LabelCounts, ScoreProfile
from tests.support.replay import Replay


def tabulate(concepts: Iterable[Concept], points: Points) -> Finite:
    """Return the class of these concepts restricted to these points, as a matrix."""
    return Finite([concept(points).tolist() for concept in concepts])


def check_contract(concepts: ConceptClass[Any], *, samples: int = 12, exact: bool = True) -> Finite:
    """Check one small class and return its matrix; `exact`: brackets of the dimensions meet."""
    domain = concepts.domain()
    listed = list(concepts.concepts())
    assert len(domain) == concepts.domain_size
    assert len(listed) == concepts.size == len(set(listed))
    matrix = tabulate(listed, domain)  # refuses two equal functions
    assert parse(str(concepts)) == concepts
    _check_dimensions(concepts, matrix, exact=exact)
    _check_facts(concepts, matrix)
    _check_cells(concepts, matrix, domain, samples)
    _check_points_outside(concepts, domain)
    _check_dichotomies(concepts, domain)
    _check_codes(concepts, listed)
    _check_sql(concepts, listed, domain)
    _check_draws(concepts, listed)
    return matrix


def _check_dimensions(concepts: ConceptClass[Any], matrix: Finite, *, exact: bool) -> None:
    for claimed, found in ((concepts.vc, matrix.vc), (concepts.littlestone, matrix.littlestone)):
        assert claimed.why
        if found.exact:
            assert claimed.lower <= found.lower <= claimed.upper
        assert claimed.exact or not exact


def _check_facts(concepts: ConceptClass[Any], matrix: Finite) -> None:
    """What a family says of itself is true of its matrix; "not known" always is."""
    truth = np.array(matrix.matrix)
    if concepts.problem is not None:
        numbers = np.arange(concepts.size)[:, None], np.arange(concepts.domain_size)[None, :]
        assert (concepts.problem(*numbers) == truth).all()
    if concepts.tells_points_apart:
        assert len(np.unique(truth, axis=1).T) == concepts.domain_size
    if concepts.distance is not None:
        differ = (truth[:, None, :] != truth[None, :, :]).sum(axis=2)
        pairs = differ[~np.eye(len(truth), dtype=np.bool_)]
        assert concepts.distance * concepts.domain_size <= int(pairs.min(initial=len(truth.T)))
    if concepts.sides is not None and concepts.domain_size <= 16:
        _check_sides(concepts, concepts.sides)
    if (largest := concepts.shattered()) is not None:
        assert len(largest) == concepts.vc.upper
        assert len({h(largest).tobytes() for h in concepts.concepts()}) == 1 << len(largest)
    for radius in (Fraction(1, 8), Fraction(1, 2)):
        if (near := concepts.uniform_cover(radius)) is not None:
            centres = np.array([h(concepts.domain()) for h in near])
            apart = (truth[:, None, :] != centres[None, :, :]).sum(axis=2).min(axis=1)
            assert int(apart.max()) <= radius * concepts.domain_size


def _check_sides(concepts: ConceptClass[Any], sides: int) -> None:
    """Over all pairs of uniform points, a stand-in is as far away as seldom as sides allow."""
    domain, far = concepts.domain(), Counter[tuple[Any, int]]()
    for pair in product(range(len(domain)), repeat=2):
        points = domain[sorted(set(pair))]
        made = {h(points).tobytes(): h(domain) for h in concepts.dichotomies(points)}
        for h in concepts.concepts():
            far[h, int((h(domain) != made[h(points).tobytes()]).sum())] += 1
    for h, least in far:
        beyond = sum(times for (g, apart), times in far.items() if g == h and apart >= least)
        a = least / len(domain)
        met = [(1 - a) ** 2, 2 * a * (1 - a), a * a]
        assert beyond <= len(domain) ** 2 * sum(met[:sides]) + 1e-9


def _check_cells(concepts: ConceptClass[Any], matrix: Finite, domain: Points, samples: int) -> None:
    """Every concept is the member of exactly one (cell, rank), in a cell of its own gain."""
    rng = np.random.default_rng(0)
    for _ in range(samples):
        chosen = rng.permutation(len(domain))[: rng.integers(0, min(len(domain), 9) + 1)]
        points, gains = domain[chosen], rng.integers(-3, 4, len(chosen))
        cells = concepts.cells(points, gains)
        assert sum(int(m) for m in cells.multiplicities) == concepts.size
        seen: Counter[Any] = Counter()
        for cell, (gain, m) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
            for rank in range(int(m)):
                concept = cells.member(cell, rank)
                seen[concept] += 1
                assert int(gains[concept(points)].sum()) == gain
        assert set(seen) == set(concepts.concepts())
        assert max(seen.values()) == 1
        expected = Counter(int(np.array(row)[chosen] @ gains) for row in matrix.matrix)
        found: Counter[int] = Counter()
        for gain, m in zip(cells.gains.tolist(), cells.multiplicities, strict=True):
            found[gain] += int(m)
        assert +found == expected


def _check_points_outside(concepts: ConceptClass[Any], domain: Points) -> None:
    """A point outside of the domain is read as the nearest one inside, and changes no class."""
    top, bottom = domain.max(axis=0), domain.min(axis=0)
    profile = _profile(concepts, np.stack([top + 5, bottom - 10**12, top]))
    same = _profile(concepts, np.stack([top, bottom, top]))
    assert profile.size == concepts.size
    assert sorted(profile.scores.tolist()) == sorted(same.scores.tolist())
    assert concepts.clip(domain).tolist() == domain.tolist()


def _profile(concepts: ConceptClass[Any], points: Points) -> ScoreProfile[Any]:
    rows = [(tuple(x) if isinstance(x, list) else x, (1,)) for x in points.tolist()]
    return ScoreProfile.agreements(concepts, LabelCounts.of(rows, labels=1))


def _check_dichotomies(concepts: ConceptClass[Any], domain: Points) -> None:
    rng = np.random.default_rng(1)
    for size in (0, 1, min(3, len(domain)), min(5, len(domain))):
        points = domain[rng.permutation(len(domain))[:size]]
        made = [tuple(h(points).tolist()) for h in concepts.dichotomies(points)]
        possible = {tuple(h(points).tolist()) for h in concepts.concepts()}
        assert len(made) == len(set(made))
        assert set(made) == possible


def _check_codes(concepts: ConceptClass[Any], listed: list[Any]) -> None:
    for concept in listed:
        assert concepts.decode(json.loads(json.dumps(concepts.encode(concept)))) == concept


def _check_sql(concepts: ConceptClass[Any], listed: list[Any], domain: Points) -> None:
    names = [f"column {i}" for i in range(concepts.features)]
    table = domain.reshape(len(domain), concepts.features)
    selected = ", ".join(f'c{i} AS "{name}"' for i, name in enumerate(names))
    values = ", ".join(f"({', '.join(str(int(v)) for v in row)})" for row in table)
    columns = ", ".join(f"c{i}" for i in range(concepts.features))
    rng = np.random.default_rng(2)
    for index in rng.permutation(len(listed))[:40]:
        concept = listed[int(index)]
        source = f"(SELECT {selected} FROM (VALUES {values}) AS t({columns}))"
        query = f"SELECT {concept.sql(names)} FROM {source}"
        answers = [bool(answer) for (answer,) in duckdb.execute(query).fetchall()]
        assert answers == concept(domain).tolist()
        assert concept.rule(names)


def _check_draws(concepts: ConceptClass[Any], listed: list[Any]) -> None:
    rng = Seeded(3)
    drawn = [concepts.draw(rng=rng) for _ in range(200)]
    assert set(drawn) <= set(listed)
    assert concepts.draw(rng=Replay([0, 0, 0, 0, 0, 0, 0, 0])) in set(listed)
    assert len(set(drawn)) > min(len(listed) // 4, 60) or len(listed) == 1
