"""What is ready to be released: tried out on made-up rows, charged, and only then drawn.

A release that fails after its charge is paid for and lost. What can fail for public reasons, from
compiling a kernel to a folder that is full, fails in the rehearsal: the same steps with as many
rows that are made up, up to the files that are written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from tacit.core import InvalidArgument, Law, Privacy
from tacit.core.chance.randomness import Random, Seeded, System, is_secure
from tacit.core.cost import ReleaseCost
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.unit import Unit
from tacit.workflows.made_up import made_up

Charge = Callable[[ReleaseCost, Fraction, str, Unit], None]
"""Told a cost, its delta, its purpose and who is protected, before a draw; it may refuse."""
NO_LEDGER = (
    f"--labels-only: {SAID}, so its epsilon cannot be added to what a ledger counts for whole "
    "rows; leave out --ledger and keep this release beside it, or leave out --labels-only"
)
"""Why label privacy is charged to nobody, and the way out."""


REHEARSED = 1000
"""So many rows are made up where nobody may know how many there are."""


class Releasable(Hashable, Protocol):
    """What a verb lets out, with its cost and whether its coins were secret."""

    @property
    def cost(self) -> ReleaseCost | None:
        """What a draw costs; None if it protects labels only, which no account can add up."""

    @property
    def unit(self) -> Unit:
        """Who is protected."""

    @property
    def privacy(self) -> Privacy | LabelPrivacy:
        """The cost as one epsilon and delta, or what labels are promised."""


R = TypeVar("R", bound=Releasable)


@dataclass(frozen=True, slots=True)
class Prepared(Generic[R]):
    """A table that is counted, and all that can be refused checked: what is left is to draw.

    `statistic` is all of the table that a draw depends on, over columns of these `sizes`; `blank`
    what is released but for what is drawn and its coins, and `told` fills that in. `law` is the
    exact law of what a draw lets out: so an audit runs the code that users run, from the path of a
    file on. `purpose` says what it is for, in public words.
    """

    statistic: Any = field(repr=False)
    sizes: Sequence[int]
    mechanism: Any
    blank: R
    told: Callable[[R, Any], R]
    purpose: str

    def __call__(self, *, rng: Random) -> R:
        """Draw what is released."""
        drawn = self.told(self.blank, self.mechanism(self.statistic, rng=rng))
        return replace(drawn, secure=is_secure(rng))  # type: ignore[type-var]

    def law(self) -> Law[R]:
        """Return the exact law of what is released."""
        law: Law[Any] = self.mechanism.law(self.statistic)
        return law.map(partial(self.told, self.blank))

    def made_up(self) -> Prepared[R]:
        """Return the same with rows that are made up, as many as there are if that is public."""
        rows = REHEARSED if self.blank.unit.added else None
        return replace(self, statistic=made_up(self.statistic, self.sizes, rows))


_watched: ContextVar[tuple[list[Prepared[Any]], bool] | None] = ContextVar("watched", default=None)


def released(
    prepared: Prepared[R],
    rng: Random | None,
    charge: Charge | None,
    rehearsal: Callable[[R], object],
) -> R:
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
        blank = prepared.blank
        if blank.cost is None or isinstance(blank.privacy, LabelPrivacy):
            raise InvalidArgument(NO_LEDGER)
        rehearsal(prepared.made_up()(rng=Seeded(1)))
        charge(blank.cost, blank.privacy.delta, prepared.purpose, blank.unit)
    if (watch := _watched.get()) is not None:
        kept, draws = watch
        kept.append(prepared)
        if not draws:
            return prepared.blank
    return prepared(rng=coins)


@contextmanager
def watched(*, draws: bool = True) -> Iterator[list[Prepared[Any]]]:
    """Keep what is released inside: an audit runs a verb as users do, and asks for its law.

    What is kept holds private counts and is never shown: it is for audits of made-up tables and,
    where nothing `draws`, for who looks at what is public before a release is charged.
    """
    kept: list[Prepared[Any]] = []
    token = _watched.set((kept, draws))
    try:
        yield kept
    finally:
        _watched.reset(token)


def prepared(verb: Callable[..., R], *table: Any, **asked: Any) -> Prepared[R]:
    """Do all that a verb does before it charges: check what is public, and count."""
    with watched(draws=False) as kept:
        verb(*table, **asked)
    return kept[0]
