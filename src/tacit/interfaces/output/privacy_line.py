"""The line that says what a release cost, or that it is not private at all."""

from __future__ import annotations

from tacit.core.numbers.shown import at_most
from tacit.core.privacy import Privacy


def privacy_line(privacy: Privacy, n: int, *, secure: bool, of: str = "") -> str:
    """Say what a release cost; `of` says what more was given. The markup is for a terminal.

    >>> privacy_line(Privacy("1/2", "1e-6"), 90, secure=True)
    'Private: ε = 0.5, δ = 1e-06 for replacing any one of the 90 rows.'
    >>> privacy_line(Privacy(1, "0.1"), 90, secure=True)
    'Private: ε = 1, δ = 0.1 (above 1/n: choose a smaller δ) for replacing any one of the 90 rows.'
    """
    cost = f"ε = {at_most(privacy.epsilon, 6)}{of}, δ = {at_most(privacy.delta, 6)}"
    if privacy.delta * n > 1:
        cost += " (above 1/n: choose a smaller δ)"
    if not secure:
        return f"[bold red]NOT PRIVATE: the coins were seeded.[/] Secret coins would give {cost}."
    return f"Private: {cost} for replacing any one of the {n} rows."
