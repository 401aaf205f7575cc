"""How a learner is made from a request: its maker is given what it asks for by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from typing import Any, TypeVar

from tacit.core import Accuracy, BoundedRangeCost, InvalidArgument, PureCost
from tacit.learners.contract.entry import Entry, Request

L = TypeVar("L")
USUAL = Fraction(1, 10)
"""The alpha that is planned for where none is asked for."""
PART, MOST = Fraction(3, 4), Fraction(8)
"""What is left of an epsilon that is lowered once, and the most of it that is ever spent."""


def made_by(maker: Callable[..., L]) -> Callable[[Request], L]:
    """Return what makes a learner of the request's class by a class, or by one of its makers.

    The class of concepts comes first; of `epsilon`, `delta`, `beta`, `labels`, `parties`,
    `agnostic`, `best_error`, `public` and `accuracy` the maker gets those that it has parameters
    for.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.privacy import Privacy
    >>> request = Request(Thresholds(10), Privacy(1), 500, None, Fraction(1, 20), agnostic=True)
    >>> made_by(lambda concepts, *, epsilon, agnostic: (str(concepts), agnostic))(request)
    ('thresholds(bits=10)', True)
    """
    wanted = signature(maker).parameters

    def make(request: Request) -> L:
        public: dict[str, Any] = {
            "epsilon": request.privacy.epsilon,
            "delta": request.privacy.delta,
            "beta": request.beta,
            "labels": request.labels,
            "parties": request.parties,
            "agnostic": request.agnostic,
            "best_error": request.best_error,
            "public": request.public,
            "accuracy": Accuracy(request.alpha or USUAL, request.beta),
        }
        return maker(request.concepts, **{k: v for k, v in public.items() if k in wanted})

    return make


def entry_of(learner: type[Any], name: str, summary: str, **more: Any) -> Entry:
    """Return the entry of a learner; what its class says of itself is not said again.

    A class that costs its own epsilon is `pure`. What differs from one learner of the class to the
    next counts as agnostic, for it can be made so, and as not proper. Without a maker, the class
    itself is one.

    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> generic = entry_of(GenericLearner, "generic", "the exponential mechanism")
    >>> generic.pure, generic.proper, generic.agnostic, generic.theorem
    (True, True, True, 'KLNRS11')
    """
    said: dict[str, Any] = {
        "families": (),
        "pure": issubclass(learner, PureCost | BoundedRangeCost),
        "proper": learner.proper is True,
        "agnostic": learner.agnostic is not False,
        "theorem": learner.theorem,
    }
    if "make_jointly" not in more:
        said["make"] = made_by(learner)
    return Entry(name=name, summary=summary, **{**said, **more})


def finest(plan: Callable[[Fraction], tuple[int, L]], request: Request, *, least: Fraction) -> L:
    """Return what is planned for the alpha that is asked for, with the rows that it needs.

    If none is asked for, alpha is halved from 1/2 on as long as the rows at hand are enough, and
    while it is above `least`.
    """
    alpha = request.alpha or Fraction(1, 2)
    rows, best = plan(alpha)
    while request.alpha is None and alpha > least and rows <= request.n:
        alpha /= 2
        rows, finer = plan(alpha)
        best = finer if rows <= request.n else best
    return best


def thrifty(planned: Callable[[Fraction], tuple[int, L]], epsilon: Fraction) -> L:
    """Return what is planned for epsilon, or for less of it as long as that needs fewer rows.

    A choice among hypotheses that are only near the target must not trust every single row: beyond
    some budget it needs more of them. Up to 1 is spent, and never more than 8.

    >>> def rows(epsilon: Fraction) -> tuple[int, str]:
    ...     return int(100 / epsilon + 10 * epsilon), f"epsilon {epsilon}"
    >>> thrifty(rows, Fraction(1, 2)), thrifty(rows, Fraction(8))
    ('epsilon 1/2', 'epsilon 27/8')
    """
    best: tuple[int, L] | None = None
    epsilon = min(epsilon, MOST)
    refusal: InvalidArgument | None = None
    while True:
        try:
            found = planned(epsilon)
        except InvalidArgument as refused:
            found, refusal = None, refused
        if best is not None and (found is None or found[0] >= best[0]):
            return best[1]
        best = found or best
        if epsilon <= 1:
            break
        epsilon *= PART
    if best is None:
        assert refusal is not None
        raise refusal
    return best[1]
