"""Mechanisms around private procedures: selected, subsampled and put to the vote.

The small procedures that are wrapped use up their epsilon where a wrapper makes the most of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from tacit import mechanisms
from tacit.core import Approximate, Privacy, Pure, Random
from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.law import Law, mixture
from tacit.core.chance.law import product as joint
from tacit.core.composition.subsampling import amplified
from tacit.core.numbers.decay import growth
from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.mechanism import Kernel
from tacit.verify.cases.statement import Audited, case, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def rows_dealt_by_words() -> Audited:
    """Blocks dealt by the words of a key, where the rows are; one count of each is told."""

    def dealt(epsilon: Exact, sizes: tuple[int, int]) -> Case:
        noise, n = mechanisms.DiscreteLaplace(epsilon), sum(sizes)

        def told(records: Records, *, rng: Random) -> tuple[int, ...]:
            yes = Deal.of(records, n, sizes, rng=rng).shares(records)[1]
            return tuple(min(max(noise(int(held), rng=rng), 0), n) for held in yes)

        def two(records: Records) -> Law[Any]:
            """Return the law over all deals: the positive rows of a block are hypergeometric."""
            yes = int(records.totals[1])
            all_, few = comb(n, sizes[0]), range(max(0, yes - sizes[1]), min(yes, sizes[0]) + 1)
            ways = {k: comb(yes, k) * comb(n - yes, sizes[0] - k) for k in few}
            return mixture(
                (Fraction(many, all_), noise_law((k, yes - k))) for k, many in ways.items()
            )

        def noise_law(counts: Sequence[int]) -> Law[Any]:
            return joint(noise.law(each, low=0, high=n) for each in counts)

        about = f"blocks of {sizes[0]} and {sizes[1]} rows"
        read: Any = {"read": three_records, "law": two, "kind": "mechanism"}
        return case(told, n, about, (0, 1, 2), claim=noise.cost, **read)

    cases = (dealt(1, (2, 1)), dealt("1/3", (1, 3)), dealt(6, (2, 2)))
    return cases, (Probe(dealt(8, (8, 4)), 300), Probe(dealt("1/4", (20, 10)), 200))


def three_records(database: Sequence[int]) -> Records:
    """Count the three records, with one line each; the one in the middle says yes."""
    held = [database.count(record) for record in range(3)]
    return Records(np.array([[0], [1], [2]]), np.array(held, dtype=np.int64))


LETTERS = ("a", "b", "c")
Rows = tuple[str, ...]


def tilted(epsilon: Exact) -> Kernel[Rows, bool]:
    """Say True with a small probability, e^epsilon (rounded down) times as large for each "a"."""
    factor = growth(rational(epsilon))

    def law(rows: Rows) -> Law[bool]:
        yes = factor ** (rows.count("a") - len(rows)) / 4
        return Law({True: yes, False: 1 - yes})

    return Kernel(Pure(epsilon), law)


def leaky(epsilon: Exact, delta: Exact) -> Kernel[Rows, bool]:
    """Say True never without an "a", and with each one as much more often as is allowed.

    The chance p of True obeys p' = e^epsilon p + delta up to 1/8; from epsilon = 1/5 on, False is
    then private as well.
    """
    factor, leak = growth(rational(epsilon)), rational(delta)

    def law(rows: Rows) -> Law[bool]:
        yes = Fraction(0)
        for _ in range(rows.count("a")):
            yes = min(factor * yes + leak, Fraction(1, 8))
        return Law({True: yes, False: 1 - yes})

    return Kernel(Approximate(epsilon, delta), law)


def first_row(epsilon: Exact) -> Kernel[Rows, bool]:
    """Answer "is the first row an a?" by randomised response: the order of the rows matters."""
    factor = growth(rational(epsilon))

    def law(rows: Rows) -> Law[bool]:
        truth = rows[:1] == ("a",)
        return Law({truth: factor / (1 + factor), not truth: 1 / (1 + factor)})

    return Kernel(Pure(epsilon), law)


Pair = tuple[tuple[int, int], tuple[int, int]]
"""Two hypotheses, each by its labels of the points 0 and 1."""


def _agrees(hypothesis: tuple[int, int], row: tuple[int, int]) -> bool:
    return hypothesis[row[0]] == row[1]


def _trainer(pair: Pair, epsilon: Exact) -> Kernel[Any, Any]:
    """Make the trainer that says which of two hypotheses fits better, by randomised response."""
    factor = growth(rational(epsilon))

    def law(rows: tuple[tuple[int, int], ...]) -> Law[Any]:
        second = 2 * sum(_agrees(pair[1], row) for row in rows) > len(rows)
        return Law({pair[second]: factor / (1 + factor), pair[not second]: 1 / (1 + factor)})

    return Kernel(Pure(epsilon), law)


def hold_out_selection() -> Audited:
    """The best of two trained hypotheses by held out rows: everything that is trained told."""

    def held_out(
        epsilons: tuple[str, str],
        epsilon: str,
        *sizes: int,
        rest: int,
        alone: bool = False,
        tight: bool = False,
    ) -> Case:
        pairs: tuple[Pair, Pair] = (((0, 0), (1, 1)), ((0, 1), (1, 0)))
        trainers = [_trainer(pair, one) for pair, one in zip(pairs, epsilons, strict=True)]
        public: dict[str, Any] = {"sizes": sizes, "agrees": _agrees, "epsilon": epsilon}
        select = mechanisms.HoldOutSelection(trainers, **public, alone=alone)
        return case(
            select,
            sum(sizes) + rest,
            f"sizes={sizes}, epsilons={epsilons} and {epsilon}, {alone=}",
            product((0, 1), repeat=2),
            claim=spent(select.cost),
            transcript=select.transcript,
            symmetric=False,
            tight=tight,
        )

    return (
        held_out(("1", "1"), "1", 1, 1, rest=2, tight=True),
        held_out(("1/2", "2"), "1", 1, 1, rest=1, tight=True),
        held_out(("1/10", "1/10"), "2", 1, 1, rest=2),
        held_out(("1", "1/4"), "1/3", 2, 1, rest=1, tight=True),
        held_out(("1/4", "1/5"), "1/6", 1, 1, rest=1),
        held_out(("6", "1"), "2", 1, 1, rest=1),
        held_out(("1/4", "1/5"), "1", 1, 1, rest=2, alone=True, tight=True),
        held_out(("1", "1"), "6", 1, 1, rest=2, alone=True),
    ), tuple(
        Probe(held_out(each, epsilon, 400, 400, rest=200, alone=alone), 600)
        for each, epsilon, alone in (
            (("1/10", "1/10"), "1/5", False),
            (("8", "2"), "4", False),
            (("1/10", "1/10"), "1/5", True),
        )
    )


def amplified_claim(base: Any, sampling: mechanisms.Resample[str, Any]) -> Pure | Approximate:
    """Return what the formula promises, every number rounded up."""
    leak = base.delta if isinstance(base, Approximate) else 0
    kept = amplified(sampling.cost, Privacy(base.epsilon, leak))
    assert kept is not None
    return Approximate(kept.epsilon, kept.delta) if leak else Pure(kept.epsilon)


def resample() -> Audited:
    """Secrecy of the sample: bases that use up their epsilon or delta, with replacement or not."""

    def drawn(
        name: str, base: Kernel[Rows, bool], some: int, n: int, *, again: bool, tight: bool = True
    ) -> Case:
        sampling = mechanisms.Resample(base, drawn=some, rows=n, replacement=again)
        about = f"{name}, {some} rows with{'' if again else 'out'} replacement"
        claim = amplified_claim(base.cost, sampling)
        return case(sampling, n, about, LETTERS, claim=claim, tight=tight)

    half, tenth = leaky("1/2", "1/100"), leaky(1, "1/1000")
    return (
        *(
            found
            for again in (True, False)
            for found in (
                drawn("tilted, epsilon=1", tilted(1), 3, 6, again=again),
                drawn("tilted, epsilon=1/5", tilted("1/5"), 2, 5, again=again),
                drawn("tilted, epsilon=2", tilted(2), 3, 3, again=again),
                drawn("first row, epsilon=1", first_row(1), 3, 4, again=again, tight=False),
                drawn("leaky, epsilon=1/2, delta=1/100", half, 3, 5, again=again),
                drawn("leaky, epsilon=1, delta=1/1000", tenth, 2, 4, again=again),
            )
        ),
        drawn("tilted, epsilon=1, more draws than rows", tilted(1), 4, 3, again=True),
        drawn("first row, epsilon=6", first_row(6), 2, 2, again=False, tight=False),
    ), tuple(
        Probe(drawn(f"tilted, epsilon={e}", tilted(e), 4, 1000, again=True, tight=False), 600)
        for e in (1, 8)
    )


def plurality(rows: Rows) -> str | None:
    """Vote for the letter that occurs most often; abstain on a tie and without rows."""
    ranked = sorted(((rows.count(letter), letter) for letter in set(rows)), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def unanimity(rows: Rows) -> str | None:
    """Vote for the letter of all rows; two at least, so that one replaced row turns no vote."""
    return rows[0] if len(rows) > 1 and len(set(rows)) == 1 else None


def last(rows: Rows) -> str | None:
    """Vote for the last row's letter: the order of the rows matters."""
    return rows[-1] if rows else None


def subsample_and_aggregate() -> Audited:
    """Blocks by coins and by position, with and without votes that switch."""

    def voted(
        name: str,
        blocks: int,
        n: int,
        epsilon: Exact,
        delta: Exact,
        *,
        coins: bool,
        symmetric: bool = True,
        tight: bool = False,
    ) -> Case:
        base = {"plurality": plurality, "unanimity": unanimity}.get(name, last)
        switch = base is not unanimity
        vote = mechanisms.SubsampleAndAggregate(
            base, blocks=blocks, epsilon=epsilon, delta=delta, coins=coins, switch=switch
        )
        about = f"{name}, {blocks} blocks by {'coins' if coins else 'position'}"
        return case(vote, n, about, LETTERS, symmetric=symmetric, tight=tight)

    return (
        voted("plurality", 3, 5, "1", "1/10", coins=True),
        voted("plurality", 2, 6, "1/2", "1/100", coins=True),
        voted("last", 3, 4, "1", "1/10", coins=True, symmetric=False),
        voted("unanimity", 2, 6, "1", "1/20", coins=True),
        voted("plurality", 2, 6, "1", "1/10", coins=False, symmetric=False, tight=True),
        voted("single rows", 6, 6, "1/2", "1/50", coins=False, tight=True),
        voted("single rows", 7, 7, "2", "1/1000", coins=False, tight=True),
        voted("unanimity", 3, 6, "1", "1/100", coins=False, symmetric=False, tight=True),
        voted("single rows", 4, 4, "6", "1/100", coins=False),
    ), tuple(
        Probe(
            voted("plurality", 20, 1000, epsilon, delta, coins=False, symmetric=False),
            300,
            ("a",) * 1000,
        )
        for epsilon, delta in (("1/10", "1/100"), ("8", "2e-32"))
    )
