"""What can go wrong, in public words only."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches


def nearest(name: str, known: Collection[str]) -> str:
    """Ask whether a public name like it was meant; nothing if there is none.

    >>> nearest("diabets", ["age", "Diabetes"]), nearest("age", ["bmi"])
    ("did you mean 'Diabetes'?", '')
    """
    folded = {str(each).casefold(): str(each) for each in known}
    near = get_close_matches(str(name).casefold(), folded, 1)
    return f"did you mean {folded[near[0]]!r}?" if near else ""


class TacitError(Exception):
    """Anything that tacit refuses; the message names the way out."""


class InvalidArgument(TacitError, ValueError):
    """An argument has the wrong kind or lies outside its range."""


class NotExact(TacitError, TypeError):
    """A number that must be exact was given in a form that is not."""


class TooLarge(TacitError, ValueError):
    """An exact enumeration was asked for that would not end in reasonable time."""


class Refused(TacitError):
    """A sound request that cannot be granted: the budget, or the number of rows, is too small."""


class SampleTooSmall(Refused):
    """The public number of rows is below what the theorem needs."""

    def __init__(self, *, needed: int, got: int, theorem: str) -> None:
        self.needed, self.got, self.theorem = needed, got, theorem
        super().__init__(
            f"{needed} rows are needed for this accuracy [{theorem}], the table has {got}; "
            "ask for a larger alpha or beta, give more epsilon, or bring more rows"
        )


class MissingExtra(TacitError, ImportError):
    """An optional dependency is absent; the message is the command to run."""

    def __init__(self, *, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; run: pip install 'tacit[{extra}]'")
