"""Small private procedures, given by their laws, for the wrapping mechanisms to be tried on.

Some are extreme on purpose: they use up their epsilon where a wrapper makes the most of it.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core.chance.law import Law
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import growth
from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.mechanism import Kernel
from tacit.statistics import ScoreProfile

Rows = tuple[str, ...]
Scored = tuple[int, str]
RARE = Fraction(1, 2**30)
SCARCE = Fraction(1, 2**15)


def opposed(epsilon: Exact) -> Kernel[Rows, Scored]:
    """Make one more "a" raise the chance of the best outcome and lower that of the second best.

    Both by exactly e^epsilon (rounded down): what "fair" loses, "good" gains, so a search that
    prefers "good" pays for "fair" twice. The rest of the probability is near 1 and hardly moves.
    """
    factor = growth(rational(epsilon))

    def law(rows: Rows) -> Law[Scored]:
        count = rows.count("a")
        fair = RARE / factor**count
        good = SCARCE / factor ** (len(rows) - count)
        return Law({(0, "none"): 1 - fair - good, (1, "fair"): fair, (2, "good"): good})

    return Kernel(Pure(epsilon), law)


def poll(epsilon: Exact) -> Kernel[Rows, Scored]:
    """Choose a letter by the exponential mechanism; "a" and "b" are liked alike, "c" more."""
    choose = Exponential(epsilon)

    def law(rows: Rows) -> Law[Scored]:
        profile = ScoreProfile.of([rows.count(letter) for letter in "abc"])
        return choose.law(profile).map(lambda chosen: (1 + chosen // 2, "abc"[chosen]))

    return Kernel(Pure(epsilon), law)


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
