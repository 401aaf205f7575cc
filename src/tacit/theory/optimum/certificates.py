"""Both sides of an optimum as exact numbers, and who checks them: no float takes part."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import InvalidArgument, Privacy
from tacit.core.numbers.decay import SIGNIFICANT, growth
from tacit.core.numbers.enclosures import exp_upper, round_up
from tacit.theory.optimum.program import Program

BITS = 256
"""Of a dual value, what is kept below the point; the rest is rounded against the claim."""


@dataclass(frozen=True, slots=True)
class PrivateLaw:
    """Node v of the program has `masses[v] / whole`; hubs have what shows that neighbours agree."""

    masses: tuple[int, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class DualPrior:
    """Line i of the losses has weight `weights[i]` of their sum; edge e carries `flows[e] / unit`.

    The lines are databases (or populations): a prior over them. The flows show that no private law
    loses less on average under it.
    """

    weights: tuple[int, ...]
    flows: tuple[int, ...]
    unit: int


def steepest(epsilon: Fraction) -> Fraction:
    """Return a rational at least e^epsilon, for what is claimed of all private laws.

    >>> growth(Fraction(1)) < steepest(Fraction(1)) < growth(Fraction(1)) + Fraction(1, 10**18)
    True
    """
    return round_up(exp_upper(epsilon), SIGNIFICANT)


def check_law(program: Program, law: PrivateLaw, privacy: Privacy) -> Fraction:
    """Return the greatest loss of a law, or refuse one that is none or is not private.

    Proof:
        Privacy is checked with a rational E <= e^epsilon, edge by edge. A completion has at most
        its hub, and that at most E times any completion, so neighbours are within a factor E; with
        a delta the excesses over E times the other are added up, pair by pair.
    """
    masses, whole = law.masses, law.whole
    if len(masses) != program.nodes or min(masses) < 0 or whole <= 0:
        raise InvalidArgument("a law needs one mass that is at least 0 for each unknown and hub")
    if any(total != whole for total in program.unknowns.totals(masses)):
        raise InvalidArgument("a law adds up to 1 on every database")
    factor, limits = growth(privacy.epsilon), program.limits
    up, down = factor.numerator, factor.denominator
    spent: dict[int, int] = {}
    for e, (a, b, grows) in enumerate(limits):
        excess = masses[a] * down - masses[b] * (up if grows else down)
        if excess > 0:
            if limits.pairs is None:
                raise InvalidArgument("the law is not private: two neighbours are too far apart")
            pair = int(limits.pairs[e])
            spent[pair] = spent.get(pair, 0) + excess * limits.weights[e]
    if any(excess > privacy.delta * whole * down for excess in spent.values()):
        raise InvalidArgument("the law is not private: two neighbours exceed delta")
    lost = [0] * len(program.losses.names)
    for i, v, w in program.losses:
        lost[i] += w * masses[v]
    return Fraction(max(lost), program.losses.denominator * whole)


def check_prior(program: Program, prior: DualPrior, privacy: Privacy) -> Fraction:
    """Return what every private law loses at least, or refuse what shows nothing.

    Proof:
        Add to the average loss f_e (x_a - F x_b) for each edge, which is at most 0 for a private
        law, or at most what it takes of its pair's delta; F >= e^epsilon. What then stands beside
        each unknown, over its multiplicity, is at least its state's least such number, and each
        state's unknowns add up to 1; beside a hub, which is at least 0, stands no negative number.
    """
    weights, flows, unit = prior.weights, prior.flows, prior.unit
    losses, limits = program.losses, program.limits
    right = len(weights) == len(losses.names) and len(flows) == len(limits.edges)
    if not right or min(weights) < 0 or sum(weights) <= 0 or unit <= 0:
        raise InvalidArgument("a prior needs one weight that is at least 0 for each loss")
    if min(flows, default=0) < 0:
        raise InvalidArgument("a flow is at least 0")
    factor = steepest(privacy.epsilon)
    up, down = factor.numerator, factor.denominator
    beside, whole = [0] * program.nodes, sum(weights) * losses.denominator
    for i, v, w in losses:
        beside[v] += weights[i] * w * unit * down
    taken: dict[int, Fraction] = {}
    for e, (a, b, grows) in enumerate(limits):
        if flow := flows[e]:
            beside[a] += flow * down * whole
            beside[b] -= flow * (up if grows else down) * whole
            if limits.pairs is not None:
                pair, share = int(limits.pairs[e]), Fraction(flow, unit * limits.weights[e])
                taken[pair] = max(taken.get(pair, share), share)
    if min(beside[len(program.unknowns) :], default=0) < 0:
        raise InvalidArgument("the flows into a hub exceed those out of it")
    values: dict[int, int] = {}
    for v, (state, many) in enumerate(program.unknowns):
        value = (beside[v] << BITS) // (whole * unit * down * many)
        values[state] = min(values.get(state, value), value)
    return Fraction(sum(values.values()), 1 << BITS) - privacy.delta * sum(
        taken.values(), Fraction(0)
    )
