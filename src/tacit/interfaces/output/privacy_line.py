"""The line that says what a release cost, or that it is not private at all."""

from __future__ import annotations

from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.numbers.shown import at_most
from tacit.core.privacy import Privacy


def privacy_line(privacy: Privacy | LabelPrivacy, n: int, *, secure: bool, of: str = "") -> str:
    """Say what a release cost; `of` says what more was given. The markup is for a terminal.

    >>> privacy_line(Privacy("1/2", "1e-6"), 90, secure=True)
    'Private: ε = 0.5, δ = 1e-06 for replacing any one of the 90 rows.'
    >>> privacy_line(Privacy(1, "0.1"), 90, secure=True)
    'Private: ε = 1, δ = 0.1 (above 1/n: choose a smaller δ) for replacing any one of the 90 rows.'
    >>> privacy_line(LabelPrivacy(1), 90, secure=True)
    'Labels are protected, features are not: ε = 1 for replacing the labels of any one of 90 rows.'
    """
    if isinstance(privacy, LabelPrivacy):
        return _of_labels(privacy, n, secure=secure)
    cost = f"ε = {at_most(privacy.epsilon, 6)}{of}, δ = {at_most(privacy.delta, 6)}"
    if privacy.delta * n > 1:
        cost += " (above 1/n: choose a smaller δ)"
    if not secure:
        return f"[bold red]NOT PRIVATE: the coins were seeded.[/] Secret coins would give {cost}."
    return f"Private: {cost} for replacing any one of the {n} rows."


def _of_labels(privacy: LabelPrivacy, n: int, *, secure: bool) -> str:
    kept = f"ε = {at_most(privacy.epsilon, 6)} for replacing the labels of any one of {n} rows."
    if not secure:
        said = f"Secret coins would give, for labels and not for features, {kept}"
        return f"[bold red]NOT PRIVATE: the coins were seeded.[/] {said}"
    return f"{SAID.capitalize()}: {kept}"
