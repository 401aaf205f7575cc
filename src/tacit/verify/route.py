"""From the records to what is let out, twice: as a law and as a sampler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tacit import statistics
from tacit.core import Law, Random


def as_it_is(output: Any) -> Any:
    """Show an output whole."""
    return output


@dataclass(frozen=True, slots=True)
class Route:
    """What a mechanism lets out about a database: its law, and one draw from its sampler.

    Both start at the same `statistic` of the records. `law` is the law of `shown(output)`; by
    default the mechanism's own law of its whole output. Where that has too many outcomes to list,
    `shown` is a public function of the output whose law can be computed.
    """

    mechanism: Callable[..., Any]
    statistic: Callable[[tuple[Any, ...]], Any]
    law: Callable[[Any], Law[Any]] | None = None
    shown: Callable[[Any], Any] = as_it_is

    def __call__(self, database: tuple[Any, ...]) -> Law[Any]:
        """Return the exact law of what is let out."""
        return self.told(self.statistic(database))

    def told(self, held: Any) -> Law[Any]:
        """Return the exact law of what is let out of a statistic."""
        law = self.law or self.mechanism.law  # type: ignore[attr-defined]
        return law(held)

    def sampler(self, database: tuple[Any, ...]) -> Callable[[Random], Any]:
        """Return a function that draws what is let out; the statistic is reduced once."""
        held = self.statistic(database)
        return lambda rng: self.shown(self.mechanism(held, rng=rng))


def labelled(rows: tuple[Any, ...]) -> statistics.LabelCounts:
    """Count rows (point, (label,))."""
    return statistics.LabelCounts.of(rows, labels=1)


def jointly(labels: int) -> Callable[[tuple[Any, ...]], statistics.JointCounts]:
    """Count rows (point, labels) with all their labels together."""
    return partial(statistics.JointCounts.of, labels=labels)
