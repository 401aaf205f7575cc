"""How a learner is made from a request: its maker is given what it asks for by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from typing import Any, TypeVar

from tacit.core.accuracy import Accuracy
from tacit.learners.contract.entry import Request

L = TypeVar("L")
USUAL = Fraction(1, 10)
"""The alpha that is planned for where none is asked for."""


def made_by(maker: Callable[..., L]) -> Callable[[Request], L]:
    """Return what makes a learner of the request's class by a class, or by one of its makers.

    The class of concepts comes first; of `epsilon`, `delta`, `beta`, `labels`, `parties`,
    `agnostic` and `accuracy` the maker gets those that it has parameters for.

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
            "accuracy": Accuracy(request.alpha or USUAL, request.beta),
        }
        return maker(request.concepts, **{k: v for k, v in public.items() if k in wanted})

    return make


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
