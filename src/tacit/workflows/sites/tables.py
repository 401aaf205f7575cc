"""Noisy cross-tables of rows: all that a message holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, InvalidArgument, TooLarge, check
from tacit.core.chance.law import Law, product
from tacit.core.chance.randomness import Random
from tacit.core.cost import Added, Cost, ReleaseCost, Sequential
from tacit.core.numbers.enclosures import exp_upper
from tacit.core.numbers.least import least
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace, SplitLaplace
from tacit.probability.party_noise import NoiseSum
from tacit.statistics import Counts
from tacit.workflows.counting.bins import Bins, numbers_of
from tacit.workflows.counting.parts import Sums
from tacit.workflows.sites.axes import Axis, Codes, read_axis
from tacit.workflows.sites.descent import Descent, Moments, RowSums

MOST_CELLS = 1 << 16
"""Cells of all tables together: a message is a small file."""
LISTED = 3
"""Rows that laws are listed for where their number is secret: what is beyond is told as that."""
Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SiteTable:
    """Rows counted by some axes, each cell with noise of its own; `share` pays for it.

    With `of`, a column, its codes 0, ..., top are added up, doubled and centred, from -top to top;
    or `of` all rows a vector each, by no axes, whose squared length bounds the other too.
    Where how many rows there are is public, of two counts the first alone is told. What one row
    moves is said by `Sums.moved`. With `honest` a cell has a share of noise, of which so many make
    up the whole.

    Guarantee:
        `Pure(share)`, or with `gaussian` `Gaussian` noise of that rate rho. With `honest` that of
        the sum of so many houses' cells, of which nobody sees but sums.

    Exactness:
        As `DiscreteLaplace` and `DiscreteGaussianVector`; nothing is cut.
    """

    by: tuple[Axis, ...]
    share: Fraction
    gaussian: bool = False
    added: bool = False
    of: Bins | RowSums | None = None
    honest: int | None = None

    @property
    def cells(self) -> int:
        """How many numbers are told."""
        return 1 if self.first else self.size

    @property
    def size(self) -> int:
        """How many cells the table has."""
        own = self.of.size if isinstance(self.of, RowSums) else 1
        return own * prod(axis.size for axis in self.by)

    @property
    def first(self) -> bool:
        """Whether the first of two counts is told for both."""
        return self.size == 2 and not self.added and self.of is None

    @property
    def columns(self) -> tuple[str, ...]:
        """What is read."""
        if isinstance(self.of, RowSums):
            return self.of.columns
        summed = () if self.of is None else (self.of.name,)
        return tuple(dict.fromkeys([*(name for axis in self.by for name in axis.columns), *summed]))

    @property
    def top(self) -> int:
        """The greatest code of the column that is added up."""
        return max(self.of.column.size - 1, 1) if isinstance(self.of, Bins) else 0

    @property
    def moved(self) -> tuple[int, int]:
        """By how much one row moves all cells: in total, and in squares."""
        if isinstance(self.of, RowSums):
            return (self.of.moved(added=self.added),) * 2
        place = None if self.of is None else 0
        return Sums.moved(place, self.top, self.size, added=self.added)

    @property
    def noise(self) -> DiscreteLaplace | DiscreteGaussianVector | SplitLaplace:
        """The noise of each cell."""
        if self.gaussian:
            return DiscreteGaussianVector(self.moved[1] / (2 * self.share), self.moved[1])
        if self.honest:
            return SplitLaplace(self.share, self.moved[0], shares=self.honest)
        return DiscreteLaplace(self.share, self.moved[0])

    @property
    def variance(self) -> float:
        """The variance of the noise of one cell, about."""
        if self.gaussian:
            return float(self.moved[1] / (2 * self.share))
        q = self._decay.ratio
        return float(2 * q / (1 - q) ** 2) / (self.honest or 1)

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.share / self.moved[0])

    @property
    def said(self) -> str:
        """What is told, in words."""
        kind = "Gaussian" if self.gaussian else "Laplace"
        what, whose = ("count", "rows") if self.of is None else ("sum", self.of.name)
        many = f"{self.cells} {what}{'s' * (self.cells > 1)} of {whose}" + " by" * bool(self.by)
        whole = f"deviation {(self.variance * (self.honest or 1)) ** 0.5:.3g}"
        split = f", split between {self.honest} houses," if self.honest else ""
        noise = f"discrete {kind} noise of {whole}{split} on each"
        return f"{many} {' and '.join(axis.said for axis in self.by)}".strip() + f"; {noise}"

    def counts(self, codes: Codes, times: NDArray[Any]) -> NDArray[Any]:
        """Count rows, or add up their codes; each occurs so many times."""
        if isinstance(self.of, RowSums):
            return self.of.sums(codes, times)
        place = np.zeros(len(times), dtype=np.int64)
        for axis in self.by:
            place = place * axis.size + axis.cells(codes)
        weights: NDArray[Any] = times
        if self.of is not None:
            held = np.clip(codes[self.of.name], 0, self.top).astype(object)
            weights = (2 * held - self.top) * times.astype(object)
        found = np.zeros(self.size, dtype=weights.dtype)
        np.add.at(found, place, weights)
        return found[: self.cells]

    def whole(self, told: Sequence[int], n: int | None) -> NDArray[np.float64]:
        """Return all cells in the shape of the axes; n rows less the first one are the second."""
        cells = [told[0], n - told[0]] if self.first and n is not None else list(told)
        return np.array(cells, dtype=np.float64).reshape([axis.size for axis in self.by])

    def width(self, miss: Fraction, *, draws: int | Fraction, cells: int = 1) -> int:
        """Return what a sum of `cells` cells, each with `draws` whole noises, is off by at most.

        It is off by more with probability at most `miss`. A sum of discrete Gaussians is
        sub-Gaussian with the sum of their parameters [CKS20].
        """
        many, each = draws * cells, miss / 2
        if self.gaussian:
            spread = many * self.moved[1] / self.share  # twice the sum of the parameters
            return least(lambda k: exp_upper(-Fraction((k + 1) ** 2) / spread) <= each, low=0)
        noise = NoiseSum(self._decay, many)
        return least(lambda k: noise.above(k + 1) <= each, low=0)

    def encode(self) -> dict[str, Any]:
        """Return a JSON object, with its share as "epsilon" or "rho"."""
        summed = {} if self.of is None else {"sum": self.of.name}
        if isinstance(self.of, RowSums):
            summed = {"sums": "moments" if isinstance(self.of, Moments) else "pulls"}
        paid = {"rho" if self.gaussian else "epsilon": str(self.share)}
        return {"by": [axis.encode() for axis in self.by], **summed, **paid}

    @classmethod
    def decode(
        cls,
        encoded: Any,
        schema: Schema,
        model: Model | None,
        given: Mapping[str, Any],
        *,
        added: bool,
    ) -> SiteTable:
        """Read what `encode` wrote, of a question that gives this."""
        match encoded:
            case {"by": [*by], "epsilon": str(share), **rest}:
                gaussian = False
            case {"by": [*by], "rho": str(share), **rest}:
                gaussian = True
            case _:
                raise InvalidArgument("a table must say what it counts by, and its epsilon or rho")
        if rest.keys() == {"sums"} and not by:
            return cls(
                (), check.positive(share=share), gaussian, added, Descent.of(schema, given).sums
            )
        summed = rest.pop("sum", None)
        if rest or not (by or summed):
            raise InvalidArgument("a table has an entry that is not known, or nothing to count by")
        name = str(summed)
        of = None if summed is None else Bins(name, numbers_of(schema, name, bits=True))
        axes = tuple(read_axis(axis, schema, model) for axis in by)
        return cls(axes, check.positive(share=share), gaussian, added, of)


@dataclass(frozen=True, slots=True)
class NoisyTables:
    """What a house tells of its rows: every table of a question, with noise.

    Guarantee:
        The tables one after the other: `cost` for a replaced, or an added, row of this house,
        towards everybody, all other houses together included: they hold nothing of its noise. Of
        split noise, for the sum of what `honest` houses tell, towards all who see but sums.

    Exactness:
        As `SiteTable`.

    Cost:
        As the tree of `cost`; time linear in the different rows, for each table.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Integer
    >>> from tacit.workflows.sites.axes import ColumnAxis
    >>> ill, age = Bins("ill", Bits()), Bins("age", Integer(0, 120), (0, 40, 65))
    >>> table = SiteTable((ColumnAxis(age), ColumnAxis(ill)), Fraction(40))
    >>> rows = Counts.of([(30, 0), (30, 0), (70, 1)])
    >>> NoisyTables(("age", "ill"), (table,))(rows, rng=Seeded(1))
    ((2, 0, 0, 0, 0, 1),)

    Proof: docs/proofs/sites.md
    """

    columns: tuple[str, ...]
    tables: tuple[SiteTable, ...]

    def __post_init__(self) -> None:
        if not self.tables:
            raise InvalidArgument("a question must ask for a table, and this one asks for none")
        if (many := sum(table.size for table in self.tables)) > MOST_CELLS:
            raise TooLarge(
                f"the tables would have {many} cells, and a message holds up to {MOST_CELLS}: name "
                "fewer columns, or cut numbers into fewer parts"
            )
        kinds = {(table.gaussian, table.added, table.honest) for table in self.tables}
        if len(kinds) > 1 or (self.tables[0].gaussian and self.tables[0].honest):
            raise InvalidArgument("all tables of a question must have one kind of noise")

    @property
    def cost(self) -> ReleaseCost:
        """What all tables cost a row."""
        parts: list[Cost] = [table.noise.cost for table in self.tables]
        whole = parts[0] if len(parts) == 1 else Sequential(*parts)
        return Added(whole) if self.tables[0].added else whole

    def __call__(self, counts: Counts[Any], *, rng: Random) -> tuple[Vector, ...]:
        """Tell all tables."""
        return tuple(
            tuple(table.noise(held, rng=rng).tolist())
            for table, held in zip(self.tables, self.counted(counts), strict=True)
        )

    def law(self, counts: Counts[Any]) -> Law[tuple[Vector, ...]]:
        """Return the law, counts beyond 0 and n told as those; Gaussian noise leaves a slack.

        Of split noise it is that of the sum of what so many houses tell, which have these rows.
        """
        most = LISTED if self.tables[0].added else max(counts.n, 1)
        laws = []
        for table, held in zip(self.tables, self.counted(counts), strict=True):
            values, noise = held.tolist(), table.noise
            if isinstance(noise, DiscreteGaussianVector):
                laws.append(noise.law(values))
            else:
                low, high = (-table.top * most, table.top * most) if table.of else (0, most)
                laws.append(noise.law(values, low=low, high=high))
        return product(laws)

    def counted(self, counts: Counts[Any]) -> list[NDArray[Any]]:
        """Count all tables, in integers."""
        rows = np.array(list(counts.table), dtype=np.int64).reshape(-1, len(self.columns))
        codes = dict(zip(self.columns, rows.T, strict=True))
        times = np.array(list(counts.table.values()), dtype=np.int64)
        return [table.counts(codes, times) for table in self.tables]
