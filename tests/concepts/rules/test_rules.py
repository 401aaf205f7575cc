"""Rules over a table."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import numpy as np
import pytest

from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.outputs.never import OrNever
from tacit.concepts.rules.literals import FAR, Literal, choices, cuts
from tacit.concepts.rules.rules import Column, Rule, Rules
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tests.support import concept_contract
from tests.support.concept_contract import tabulate

AGE, SMOKER, WARD = Column("age", 0, 9), Column("smoker", 0, 1), Column("ward", 0, 2)
WARDS = ["north", "o'hare", "west"]
LITERALS = [*cuts(0, [3, 7]), *choices(1, ["no", "yes"]), *choices(2, WARDS)]
RULES = Rules([AGE, SMOKER, WARD], LITERALS, width=3)
DENIED = Rules([AGE, SMOKER, WARD], [*LITERALS[:4], LITERALS[5], LITERALS[7]], 2, negated=True)
PLAIN = Rules([AGE, SMOKER, WARD], [LITERALS[0], LITERALS[5], Literal(2, "!=", 1)], width=2)


def test_different_functions_keep_the_contract() -> None:
    """All parts of the contract but one: SQL shows names."""
    domain, listed = PLAIN.domain(), list(PLAIN.concepts())
    matrix = tabulate(listed, domain)
    assert len(listed) == PLAIN.size == 7
    assert len(domain) == PLAIN.domain_size == 60
    assert parse(str(PLAIN)) == PLAIN
    assert PLAIN.vc.lower <= matrix.vc.lower <= PLAIN.vc.upper
    assert PLAIN.littlestone.lower <= matrix.littlestone.lower <= PLAIN.littlestone.upper
    concept_contract._check_cells(PLAIN, matrix, domain, 12)
    concept_contract._check_dichotomies(PLAIN, domain)
    concept_contract._check_codes(PLAIN, listed)
    concept_contract._check_draws(PLAIN, listed)


@pytest.mark.parametrize(("rules", "size"), [(RULES, 1 + 12 + 66 + 220), (DENIED, 2 * 22)])
def test_equal_functions_are_scored_rule_by_rule(rules: Rules, size: int) -> None:
    rng = np.random.default_rng(0)
    listed = list(rules.concepts())
    assert len(listed) == rules.size == size == len(set(listed))
    domain = rules.domain()
    assert len({h(domain).tobytes() for h in listed}) < len(listed)
    points = domain[rng.permutation(60)[:25]]
    gains = rng.integers(-100, 101, 25)
    cells = rules.cells(points, gains)
    assert cells.multiplicities.tolist() == [1] * rules.size
    for index, rule in enumerate(listed):
        assert cells.member(index, 0) == rule
        assert cells.gains[index] == gains[rule(points)].sum()
    made = [tuple(h(points).tolist()) for h in rules.dichotomies(points)]
    assert len(made) == len(set(made))
    assert set(made) == {tuple(h(points).tolist()) for h in listed}


def test_rows_and_points_give_equal_gains() -> None:
    rng = np.random.default_rng(1)
    rows = RULES.domain()[rng.integers(0, 60, 5000)]
    labels = rng.random((3, 5000)) < 0.3
    by_rows = RULES.gains(rows, labels)
    assert by_rows.shape == (3, RULES.size)
    points, which = np.unique(rows, axis=0, return_inverse=True)
    for line, label in zip(by_rows, labels, strict=True):
        gains = np.zeros(len(points), dtype=np.int64)
        np.add.at(gains, which, np.where(label, 1, -1))
        assert RULES.cells(points, gains).gains.tolist() == line.tolist()
        assert RULES.scored(line).member(5, 0) == list(RULES.concepts())[5]


def test_sql_speaks_of_the_table_as_its_owner_writes_it() -> None:
    domain = RULES.domain()
    rows = ", ".join(
        f"({age}, '{['no', 'yes'][smoker]}', '{WARDS[ward].replace(chr(39), chr(39) * 2)}')"
        for age, smoker, ward in domain.tolist()
    )
    for seed in range(40):
        rule = (DENIED if seed % 2 else RULES).draw(rng=Seeded(seed))
        query = f"SELECT {rule.sql(RULES.names)} FROM (VALUES {rows}) AS t(age, smoker, ward)"
        answers = [bool(answer) for (answer,) in duckdb.execute(query).fetchall()]
        assert answers == rule(domain).tolist()


def test_words() -> None:
    rule = Rule((LITERALS[0], LITERALS[5], Literal(2, "!=", 1, shown="o'hare")))
    assert rule.rule(RULES.names) == "age is at least 3 and smoker is yes and ward is not o'hare"
    assert rule.sql(RULES.names) == (
        """("age" >= 3 AND "smoker" = 'yes' AND "ward" != 'o''hare')"""
    )
    denied = Rule(rule.literals, negated=True)
    assert denied.rule(RULES.names) == "age is below 3 or smoker is not yes or ward is o'hare"
    assert denied.sql(RULES.names) == f"(NOT {rule.sql(RULES.names)})"
    assert (denied(RULES.domain()) != rule(RULES.domain())).all()
    assert Rule((), negated=True).rule(RULES.names) == "never"
    assert Rule(()).rule(RULES.names) == "always"
    assert Rule(()).sql(RULES.names) == "(1 = 1)"
    assert [h.rule(["bmi"]) for h in cuts(0, [150], shown=["25.0"])] == [
        "bmi is at least 25.0",
        "bmi is below 25.0",
    ]


def test_brackets() -> None:
    assert (RULES.vc.lower, RULES.vc.upper) == (3, 8)
    idle = [Literal(0, ">=", 0), Literal(0, "<", 10), Literal(1, "=", 5), Literal(2, "!=", 9)]
    constant = Rules([AGE, SMOKER, WARD], idle, width=2)
    assert constant.vc.lower == 0
    assert len(constant.dichotomies(constant.domain())) == 2


def test_a_class_travels_as_text() -> None:
    odd = Rules([Column('say "x", (y)\n', -3, 5)], [Literal(0, "=", 2, shown="é)")], width=1)
    for rules in (RULES, PLAIN, DENIED, odd):
        assert parse(str(rules)) == parse_output(str(rules)) == rules
        assert parse_output(f"or_never({rules})") == OrNever(rules)
    for rules in (RULES, DENIED):
        for rule in rules.concepts():
            assert rules.decode(json.loads(json.dumps(rules.encode(rule)))) == rule
    with pytest.raises(InvalidArgument, match="is no rule of"):
        RULES.decode(RULES.encode(Rule((), negated=True)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules(width=2)", "where there is a schema"),
        ("rules()", "where there is a schema"),
        ("rules([])", "where there is a schema"),
        ('rules({"width":2})', "where there is a schema"),
        ('rules({"width":2,"columns":[["a",0]],"literals":[]})', "where there is a schema"),
        ('rules({"width":2,"columns":[["a",0,1]],"literals":[]})', "at least one"),
        ('rules({"width":1,"columns":[["a",0,1]],"literals":[[0,"~",1]]})', "comparison must"),
    ],
)
def test_what_is_no_text_of_rules_is_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        parse(text)


def test_many_literals() -> None:
    wide = Rules([Column("age", 0, 999)], cuts(0, range(500)), width=4)
    points = np.array([[5], [250], [999]])
    labels = {tuple(h(points).tolist()) for h in wide.dichotomies(points)}
    assert len(labels) == 7  # intervals of three points in a row, or nothing
    assert wide.draw(rng=Seeded(1)) != wide.draw(rng=Seeded(2))
    with pytest.raises(TooLarge, match="lower the width"):
        wide.cells(points, np.ones(3, dtype=np.int64))


@pytest.mark.parametrize(
    ("literals", "width", "words"),
    [
        ([], 1, "at least one"),
        ([LITERALS[0], LITERALS[0]], 1, "all different"),
        ([LITERALS[0]], 2, "width must be at most 1"),
        ([LITERALS[0]], 0, "width must be at least 1"),
        ([Literal(3, "=", 0)], 1, "columns 0 to 2"),
    ],
)
def test_bad_classes_are_refused(literals: list[Literal], width: int, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        Rules([AGE, SMOKER, WARD], literals, width)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ((0, "~", 1), None),
        ((-1, "=", 1), None),
        ((0, "=", 1.5), None),
        ((0, "=", 1), True),
        ((0, ">=", 1), "1/3"),
        ((0, "<", 1), "1; DROP TABLE t"),
        ((0, "<", 1), "1_000"),
    ],
)
def test_bad_literals_are_refused(arguments: tuple[Any, ...], shown: Any) -> None:
    with pytest.raises((InvalidArgument, NotExact)):
        Literal(*arguments, shown=shown)


def test_bad_columns_and_codes_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="high must be at least 5"):
        Column("age", 5, 4)
    for literals in ([LITERALS[1], LITERALS[0]], LITERALS[:4], [Literal(0, ">=", 4)]):
        with pytest.raises(InvalidArgument, match="is no rule of"):
            RULES.decode({"literals": [literal.encode() for literal in literals]})


def test_scores_say_what_rules_say() -> None:
    """A score is never 0, is above 0 where the rule says yes, and its levels hold 0."""
    literals = (
        Literal(0, ">=", 3),
        Literal(0, "<", 6),
        Literal(1, "=", 1),
        Literal(1, "!=", 0),
    )
    columns = [Column("a", 0, 7), Column("b", 0, 2)]
    rules = Rules(columns, literals, width=2, negated=True)
    points = rules.domain()
    for rule in rules.concepts():
        scores = rule.score(points)
        assert (scores % 2 == 1).all()
        assert ((scores > 0) == rule(points)).all()
        assert 0 in rule.levels
        assert list(rule.levels) == sorted(set(rule.levels))
    far = Rule((Literal(0, ">=", -(1 << 62)),))
    assert far.score(np.array([[(1 << 62)]])).tolist() == [2 * FAR + 1]
