"""Check a certificate with Python alone: python check_certificate.py FILE

A certificate of `tacit dims` or `tacit optimum` lists a class as a table of 0s and 1s, one line a
concept, one digit a point, and says something of that table. What is shown here is about the table;
that the table is the class of this name anybody can see who can list it. Nothing of tacit is used.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

EIGHTY = Context(80, ROUND_CEILING)
WORK = 3_000_000
"""Steps of a search that shows an upper end."""


def need(right: object, why: str) -> None:
    """Refuse a certificate unless something is right."""
    if not right:
        raise ValueError(why)


def table_of(told: dict[str, Any]) -> list[str]:
    """Read the class: distinct lines of equal length."""
    table = told["table"]
    need(table and all(set(line) <= {"0", "1"} for line in table), "a table is of 0s and 1s")
    need(len({len(line) for line in table}) == 1, "the lines of a table are of one length")
    need(len(set(table)) == len(table), "a concept is listed twice")
    return list(table)


def check_vc(table: list[str], told: dict[str, Any]) -> str:
    """Show that these points are shattered, and that no larger set is."""
    points, lower, upper = told["shattered"], told["lower"], told["upper"]
    patterns = {tuple(line[x] for x in points) for line in table}
    need(len(set(points)) == len(points) == lower, "another number of points than the lower end")
    need(len(patterns) == 1 << lower, "the points are not shattered")
    said = f"the VC dimension is at least {lower}"
    if len(table) < 1 << upper + 1:
        return f"{said}, and at most {upper}: fewer than 2^{upper + 1} concepts"
    if math.comb(len(table[0]), upper + 1) * len(table) > WORK:
        return f"{said}; the upper end {upper} is NOT shown: too many sets to look at"
    for chosen in combinations(range(len(table[0])), upper + 1):
        many = len({tuple(line[x] for x in chosen) for line in table})
        need(many < 1 << upper + 1, f"{chosen} is shattered, too")
    return f"{said}, and at most {upper}: no {upper + 1} points are shattered"


def check_littlestone(table: list[str], told: dict[str, Any]) -> str:
    """Show that a mistake tree is one, and that none is deeper."""
    points, leaves, lower, upper = (told[k] for k in ("points", "concepts", "lower", "upper"))
    need(len(leaves) == 1 << lower == len(points) + 1, "the tree is not complete")
    for i, concept in enumerate(leaves):
        node = len(points) + i
        while node:
            parent, label = divmod(node - 1, 2)
            need(table[concept][points[parent]] == "01"[label], f"leaf {i} is out of place")
            node = parent
    lines = list(enumerate(table))
    columns = [sum(1 << i for i, line in lines if line[x] == "1") for x in range(len(table[0]))]
    steps = 0

    @cache
    def deeper(rows: int, depth: int) -> bool:
        nonlocal steps
        steps += len(columns)
        need(steps <= WORK, "")
        if depth == 0 or rows.bit_count() < 1 << depth:
            return depth == 0 and rows > 0
        halves = {(rows & ~column, rows & column) for column in columns}
        return any(deeper(a, depth - 1) and deeper(b, depth - 1) for a, b in halves if a and b)

    said = f"the Littlestone dimension is at least {lower}"
    try:
        more = deeper((1 << len(table)) - 1, upper + 1)
    except (ValueError, RecursionError):
        return f"{said}; the upper end {upper} is NOT shown: too many sets to look at"
    need(not more, f"there is a tree of depth {upper + 1}")
    return f"{said}, and at most {upper}: no tree is deeper"


def databases(n: int, points: int) -> Iterator[tuple[int, ...]]:
    """Yield all histograms of n rows over the cells (x, y), at 2 x + y."""
    for rows in combinations_with_replacement(range(2 * points), n):
        yield tuple(rows.count(cell) for cell in range(2 * points))


def check_optimum(told: dict[str, Any]) -> str:
    """Show that a law is private and loses at most `upper`, and that none loses less than `lower`.

    Privacy: M(h | D) <= e^epsilon M(h | D') for all histograms D, D' of n rows that differ in one
    replaced row. The loss on D is the expected share of rows that speak against the hypothesis,
    above the best concept's; it counts where a concept explains D, or everywhere if agnostic. For
    the lower end take any weights w of databases and flows f, g >= 0 for each (B, h, D), D being B
    and one row. Let u(B, h) be the greatest M(h | D) over these D: M(h | D) <= u <= e^epsilon
    M(h | D). So adding f (M(h | D) - u) + g (u - F M(h | D)), F >= e^epsilon, to the average loss
    makes it no greater; if no u has a negative coefficient then, the sum over D of the least
    coefficient of any M(h | D) is a lower bound.
    """
    table, n, epsilon = table_of(told), told["n"], Fraction(told["epsilon"])
    points = len(table[0])
    functions = [f"{i:0{points}b}" for i in range(1 << points)]
    rules = table if told["proper"] else functions
    ratio = EIGHTY.exp(EIGHTY.divide(epsilon.numerator, epsilon.denominator))
    most = Fraction(EIGHTY.next_plus(ratio)) * (1 + Fraction(1, 10**75))
    least = Fraction(EIGHTY.next_minus(ratio)) * (1 - Fraction(1, 10**75))
    need(told["hypotheses"] == rules or sorted(told["hypotheses"]) == sorted(rules), "other rules")
    rules, listed = told["hypotheses"], list(databases(n, points))
    law = {tuple(each["rows"]): each["masses"] for each in told["law"]}
    need(law.keys() == set(listed), "the law is not on all databases")
    whole, worst, loss = told["whole"], Fraction(0), {}
    for rows in listed:
        masses = law[rows]
        wrong = {rule: errors(rule, rows) for rule in {*rules, *table}}
        best = min(wrong[concept] for concept in table)
        right = len(masses) == len(rules) and min(masses) >= 0 and sum(masses) == whole
        need(right, "a law adds up to 1")
        if told["agnostic"] or best == 0:
            loss[rows] = [wrong[rule] - best for rule in rules]
            lost = sum(m * e for m, e in zip(masses, loss[rows], strict=True))
            worst = max(worst, Fraction(lost, n * whole))
        for near in neighbours(rows):
            close = all(a <= least * b for a, b in zip(masses, law[near], strict=True))
            need(close, "the law is not private")
    need(worst <= Fraction(told["upper"]), "the law loses more than the upper end")
    weights = {tuple(each["rows"]): each["weight"] for each in told["prior"]}
    need(min(weights.values()) >= 0 < sum(weights.values()), "no prior")
    need(weights.keys() <= loss.keys(), "a prior is on databases that count")
    total, unit = sum(weights.values()), told["unit"]
    beside: dict[tuple[Any, int], Fraction] = defaultdict(Fraction)
    hubs: dict[tuple[Any, int], Fraction] = defaultdict(Fraction)
    for rows, weight in weights.items():
        for h, lost in enumerate(loss[rows]):
            beside[rows, h] += Fraction(weight * lost, total * n)
    for less, h, cell, into, out in told["flows"]:
        grown = tuple(k + (c == cell) for c, k in enumerate(less))
        need(min(into, out) >= 0 and sum(less) == n - 1 and 0 <= h < len(rules), "a flow is wrong")
        beside[grown, h] += Fraction(into) / unit - most * out / unit
        hubs[tuple(less), h] += Fraction(out - into, unit)
    need(min(hubs.values(), default=0) >= 0, "flows into a hub exceed those out of it")
    shown = sum(min(beside[rows, h] for h in range(len(rules))) for rows in listed)
    need(shown >= Fraction(told["lower"]), f"only {float(shown)} is shown for the lower end")
    return f"the best private learner loses between {float(shown)} and {float(worst)}"


def errors(rule: str, rows: tuple[int, ...]) -> int:
    """Count the rows that speak against a rule."""
    return sum(k for cell, k in enumerate(rows) if rule[cell // 2] != "01"[cell % 2])


def neighbours(rows: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the histograms with one row replaced."""
    for old, held in enumerate(rows):
        for new in range(len(rows)) if held else ():
            yield tuple(k - (c == old) + (c == new) for c, k in enumerate(rows))


def check(text: str) -> list[str]:
    """Return what a certificate shows, or refuse it."""
    told = json.loads(text)
    if told["format"] == "tacit-optimum-1":
        return [check_optimum(told)]
    need(told["format"] == "tacit-dimensions-1", "a certificate of another format")
    table = table_of(told)
    checks = {"vc": check_vc, "littlestone": check_littlestone}
    need(told.keys() & checks, "the certificate claims nothing")
    return [show(table, told[name]) for name, show in checks.items() if name in told]


if __name__ == "__main__":
    try:
        need(len(sys.argv) == 2, "use: check_certificate.py FILE")
        lines = check(Path(sys.argv[1]).read_text(encoding="utf-8"))
        sys.stdout.write("\n".join([*lines, "BELIEVED, of this table"]) + "\n")
    except Exception as error:
        sys.exit(f"REFUSED: {error or type(error).__name__}")
