"""What a measured hypothesis costs a row, where a miss costs more, or less, than a false alarm."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.mechanisms.measuring.reading import CONFIDENCE, HALF, Reading, rows_to_tell
from tacit.probability.noisy_share import ShareInterval


@dataclass(frozen=True, slots=True)
class Weighing:
    """A reading, by weighted errors: a miss costs `odds` false alarms.

    A row costs errors + (odds - 1) misses in the mean, or odds errors + (1 - odds) alarms where
    that is less than 1: the errors are told with less noise than either part. Both shares have half
    of what may be missed: docs/proofs/weighted.md.

    >>> told = Reading(1000, (0,), 150, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    >>> found = Weighing(told, Fraction(5))
    >>> round(found.cost, 3), found.interval().low < 0.67 < found.interval().high
    (0.67, True)
    >>> found.constant, round(found.constant_cost, 3)
    (True, 0.76)
    """

    reading: Reading
    odds: Fraction

    @property
    def cost(self) -> float:
        """What a row costs, as far as was told."""
        part = max(self._rare_part()[0], 0) / max(self.reading.n, 1)
        return self._less * self.reading.error + self._more * part

    def interval(self, confidence: Fraction = CONFIDENCE) -> ShareInterval:
        """Return between what a row to come costs in the mean, with this confidence."""
        both = zip(*self._intervals(confidence), strict=True)
        low, high = (self._less * error + self._more * part for error, part in both)
        return ShareInterval(low, high)

    @property
    def constant(self) -> bool:
        """What a constant should answer, as far as was told."""
        told = self.reading
        return self.odds * told.positives > told.n - told.positives

    @property
    def constant_cost(self) -> float:
        """What the better constant costs a row, as far as was told."""
        return self._always(min(max(self.reading.positives, 0), self.reading.n) / self.reading.n)

    def constant_interval(self, confidence: Fraction = CONFIDENCE) -> ShareInterval:
        """Return between what the better constant costs a row."""
        low, high = self.reading.positive_interval(confidence)
        turn = 1 / (1 + float(self.odds))
        ends = sorted((self._always(low), self._always(high)))
        return ShareInterval(ends[0], self._always(turn) if low <= turn <= high else ends[1])

    @property
    def better(self) -> bool:
        """Whether the model surely costs less than the better constant: both hold with 95 %."""
        return self.interval(HALF).high < self.constant_interval(HALF).low

    def telling(self) -> int:
        """Return about how many rows would show that it costs less, as `Reading.telling`.

        >>> told = Reading(1000, (0,), 270, 240, ((640, 150), (120, 90)), (Fraction(3, 5),) * 3)
        >>> Weighing(told, Fraction(3)).telling()
        1600
        """
        told = self.reading
        errors, rare = self._intervals(HALF)
        part, few = (min(max(k, 0) / told.n, 1) for k in (self._rare_part()[0], told.positives))
        low, high = told.positive_interval(HALF)
        cost = float(self.odds)
        always = (high - few, few, 1.0, 5.0) if self.constant else (few - low, few, cost, 5.0)
        wrong = errors.high - told.error, told.error, self._less, 6.25
        dear = rare.high - part, part, self._more, 6.25
        return rows_to_tell(told.n, self.constant_cost - self.cost, (wrong, dear, always))

    def _intervals(self, confidence: Fraction) -> tuple[ShareInterval, ShareInterval]:
        """Return between what errors, and the dearer of them, lie, each with half of the doubt."""
        count, cells = self._rare_part()
        half, told = 1 - (1 - confidence) / 2, self.reading
        part = told.noise(2, cells).interval(count, told.n, float(1 - half))
        return told.error_interval(half), part

    @property
    def _less(self) -> float:
        """What the cheaper mistake costs."""
        return min(float(self.odds), 1.0)

    @property
    def _more(self) -> float:
        """By how much the dearer mistake is dearer."""
        return float(abs(self.odds - 1))

    def _always(self, positive: float) -> float:
        return min(1 - positive, float(self.odds) * positive)

    def _rare_part(self) -> tuple[int, int]:
        """Return the noisy count of the dearer mistakes, and of how many cells it is the sum."""
        cells, yes = self.reading.cells, self.reading.levels.index(0) + 1
        misses = self.odds >= 1
        held = [pair[1] for pair in cells[:yes]] if misses else [pair[0] for pair in cells[yes:]]
        return sum(held), len(held)
