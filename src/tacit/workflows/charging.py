"""What is ready to be released: tried out on made-up rows, charged, and only then drawn.

A release that fails after its charge is paid for and lost. What can fail for public reasons, from
compiling a kernel to a folder that is full, fails in the rehearsal: the same steps with as many
rows that are made up, up to the files that are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random, Seeded, System
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

Charge = Callable[[Cost, Fraction, str], None]
"""Told a cost, its delta and its purpose before anything is drawn; it may refuse."""


class Prepared(Protocol[T_co]):
    """A table that is counted, with everything checked that can be refused.

    `statistic` is all of the table that a draw depends on, and `blank` what is released but for
    what is drawn.
    """

    @property
    def blank(self) -> T_co:
        """The public part."""

    @property
    def statistic(self) -> Any:
        """The counts, which are private."""

    @property
    def cost(self) -> Cost:
        """What a draw costs."""

    @property
    def privacy(self) -> Privacy:
        """The cost as one epsilon and delta."""

    @property
    def purpose(self) -> str:
        """What it is for, in public words."""

    def __call__(self, *, rng: Random) -> T_co:
        """Draw what is released."""

    def law(self) -> Law[Any]:
        """Return the exact law of what is released."""

    def made_up(self) -> Prepared[T_co]:
        """Return the same with rows that are made up."""


_watched: ContextVar[list[Prepared[Any]] | None] = ContextVar("watched", default=None)


def released(
    prepared: Prepared[T],
    rng: Random | None,
    charge: Charge | None,
    rehearsal: Callable[[T], object],
) -> T:
    """Charge, then draw, by the operating system's coins unless others are given.

    Before it is charged, `rehearsal` is told what made-up rows and seeded coins give: all that will
    be done with a release is done with that, so that what is charged is not lost.
    """
    coins = System() if rng is None else rng
    if isinstance(coins, type) or not callable(getattr(coins, "bits", None)):
        raise InvalidArgument(
            f"rng must be a source such as System() or Seeded(1), got {type(coins).__name__}"
        )
    if charge is not None:
        rehearsal(prepared.made_up()(rng=Seeded(1)))
        charge(prepared.cost, prepared.privacy.delta, prepared.purpose)
    if (kept := _watched.get()) is not None:
        kept.append(prepared)
    return prepared(rng=coins)


@contextmanager
def watched() -> Iterator[list[Prepared[Any]]]:
    """Keep what is released inside: an audit runs a verb as users do, and asks for its law.

    What is kept holds private counts: it is for audits of made-up tables, and never shown.
    """
    kept: list[Prepared[Any]] = []
    token = _watched.set(kept)
    try:
        yield kept
    finally:
        _watched.reset(token)
