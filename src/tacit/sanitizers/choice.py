"""Which sanitizer to use: chosen by public numbers, never by the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import Any

from tacit.core import InvalidArgument, Privacy
from tacit.sanitizers.cells.histogram import HistogramSanitizer
from tacit.sanitizers.contract.attributes import LARGEST, Attributes
from tacit.sanitizers.contract.queries import ListedQueries, MarginalQueries, Queries
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.every_query.blr import BlrSanitizer
from tacit.sanitizers.every_query.multiplicative_weights import MultiplicativeWeights
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.sanitizers.line.point import PointSanitizer
from tacit.sanitizers.line.prefix import PrefixSanitizer
from tacit.sanitizers.line.quantile import QuantileSanitizer
from tacit.sanitizers.line.tree import DEEPEST, TreeSanitizer
from tacit.sanitizers.marginals.marginal import MarginalSanitizer
from tacit.sanitizers.marginals.pairs import PairSanitizer, pair_cells

CROWDED = 8
"""With so many rows a cell, as measured, the histogram is nearer to the truth than marginals."""
FEW = 50_000
"""Up to so many rows times epsilon, as measured, pairs are nearer than marginals of three."""
ROWS = (1, 2, 4, 8, 12, 16, 24, 32)
LISTED = 1 << 11
"""Up to so many thresholds are listed one by one."""
SCORED = 1 << 17
"""So many answers, of all tables to all questions, are computed at most."""


@dataclass(frozen=True, slots=True)
class Task:
    """All that a choice may depend on: questions, domain, budget, and the number of rows."""

    questions: Questions
    shape: tuple[int, ...]
    privacy: Privacy
    n: int
    beta: Fraction
    outcome: int | None = None
    """The attribute that the others shall foretell, if there is one: pairs tell it more exactly."""

    @property
    def cells(self) -> int:
        """The number of different rows that there could be."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Method:
    """A sanitizer with its name, and what it promises for its rows.

    `error` is a promise that can be made in advance, or the estimate of one.
    """

    method: str
    sanitizer: Any
    promise: Callable[[Any], Fraction]
    error: Fraction = Fraction(1)


def choose(task: Task, method: str | None = None) -> Method:
    """Return the sanitizer that is named, or the one that promises least error for n rows.

    Marginals say only afterwards how good they are: they are chosen for conjunctions if there is a
    delta, and fewer than 8 rows for each cell; pairs of attributes, if there are too many cells, or
    for attributes of more than two values few rows.

    >>> task = Task(Questions("thresholds"), (121,), Privacy(1), 10_000, Fraction(1, 20))
    >>> choose(task).method
    'tree'
    >>> wide = Task(Questions("conjunctions", 3), (2,) * 16, Privacy(1, "1e-6"), 10_000, task.beta)
    >>> choose(wide).method
    'marginal'
    """
    able = possible(task, method)
    if len(able) > 1 and "marginal" in able:
        paired = "pairs" in able and set(task.shape) != {2}
        few = paired and task.n * task.privacy.epsilon <= FEW
        able = ("pairs",) if few else ("marginal",)
        able = ("histogram",) if CROWDED * task.cells <= task.n else able
    return min((_method(name, task) for name in able), key=lambda chosen: chosen.error)


def possible(task: Task, method: str | None = None) -> tuple[str, ...]:
    """Return the methods that can be chosen, or that one; refuse if none can, whatever n is.

    >>> task = Task(Questions("points"), (1 << 40,), Privacy(1), 1, Fraction(1, 20))
    >>> possible(task)
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: the columns allow 1099511627776 different rows, and at most
    4194304 can be held: name fewer columns, or give them fewer values in the schema
    """
    family, pure = task.questions.family, not task.privacy.delta
    able = METHODS[family]
    if method is not None and method not in able:
        raise InvalidArgument(
            f"{family} cannot be asked of the method {method[:40]!r}; "
            f"choose one of {', '.join(able)}"
        )
    if method in NEEDS_DELTA and pure:
        raise InvalidArgument(f"the method {method} needs a delta above 0, such as 1e-6")
    named = able if method is None else (method,)
    left = [name for name in named if not (pure and name in NEEDS_DELTA)]
    limits = LIMITS | ({"weights": LISTED} if family == "thresholds" else {})
    paired = pair_cells(task.shape) if len(task.shape) > 1 else LARGEST + 1
    held = {"pairs": paired} | dict.fromkeys(set(left) - {"pairs"}, task.cells)
    left = [name for name in left if held[name] <= limits.get(name, held[name])]
    if not left:
        most = max(limits[name] for name in named if name in limits)
        wide = "pairs" in named and pure and paired <= LARGEST
        raise InvalidArgument(
            f"the columns allow {task.cells} different rows, and at most {most} can be held: "
            + ("give a delta above 0, such as 1e-6, " if wide else "name fewer columns, ")
            + "or give them fewer values in the schema"
        )
    return tuple(name for name in left if method is not None or name not in SLOW)


def _method(name: str, task: Task) -> Method:
    """Return a method with what it promises, or is expected to, for the rows of the task."""
    made, n, beta = _made(name, task), task.n, task.beta
    error = Fraction(1)  # marginals say only afterwards how good they are
    if isinstance(made, HistogramSanitizer):
        noise = made.noise(n, beta)
        error = Fraction(1) if noise is None else min(Fraction(1), Fraction(2 * max(noise), n))
    elif not isinstance(made, MarginalSanitizer | PairSanitizer):
        error = made.error(n, beta)
    if isinstance(made, BlrSanitizer):  # its rows are fewer than those that it answers for
        return Method(name, made, lambda _: error, error)
    return Method(name, made, lambda rows: made.promised(rows, beta), error)


def _made(name: str, task: Task) -> Any:
    """Make the sanitizer of a method."""
    privacy, width = task.privacy, task.questions.width
    known: dict[str, Any] = {"n": task.n, "beta": task.beta}
    match name:
        case "histogram":
            attributes = Attributes(task.shape)
            return HistogramSanitizer(attributes, epsilon=privacy.epsilon, width=width)
        case "marginal":
            return MarginalSanitizer.within(Attributes(task.shape), privacy, width=width)
        case "pairs":
            return PairSanitizer.within(task.shape, privacy, width=width, outcome=task.outcome)
        case "weights":
            return MultiplicativeWeights.within(_queries(task), privacy, **known)
        case "point":
            line = LineDomain(task.cells)
            return PointSanitizer(line, epsilon=privacy.epsilon, delta=privacy.delta)
        case "tree":
            return TreeSanitizer(max(1, (task.cells - 1).bit_length()), epsilon=privacy.epsilon)
        case "prefix":
            return PrefixSanitizer.within(LineDomain(task.cells), privacy, **known)
        case "quantile":
            return QuantileSanitizer.within(LineDomain(task.cells), privacy, **known)
    return _blr(task)


def _blr(task: Task) -> BlrSanitizer:
    """Choose how many rows there are by the error that is promised; thresholds need fewest."""
    queries, tried = _queries(task), []
    for rows in ROWS:
        if rows > 1 and comb(task.cells + rows - 1, rows) * queries.count > SCORED:
            break
        fine = Fraction(1, 2 * rows) if task.questions.family == "thresholds" else None
        tried.append(BlrSanitizer(queries, epsilon=task.privacy.epsilon, rows=rows, fineness=fine))
    return min(tried, key=lambda sanitizer: sanitizer.error(task.n, task.beta))


def _queries(task: Task) -> Queries:
    if task.questions.family == "thresholds":
        return ListedQueries.thresholds(task.cells)
    return MarginalQueries(Attributes(task.shape), task.questions.width)


METHODS = {
    "conjunctions": ("histogram", "marginal", "weights", "blr", "pairs"),
    "points": ("histogram", "point", "weights", "blr"),
    "thresholds": ("tree", "prefix", "quantile", "weights", "blr"),
}
"""What can answer each family of questions."""
NEEDS_DELTA = ("marginal", "pairs", "point", "prefix")
SLOW = ("blr",)
"""Only for tiny domains, and only on request."""
LIMITS = {
    "blr": 64,
    "histogram": LARGEST,
    "marginal": LARGEST,
    "pairs": LARGEST,
    "tree": 1 << DEEPEST,
    "weights": LARGEST,
}
"""How many cells each method can hold, if not any number; of pairs, all tables together."""
