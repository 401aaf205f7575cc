"""Which learners are quick enough for the first answer: measured, and remembered."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from tacit.learners.catalogue import USUAL

ENOUGH = 0.06
"""Seconds that the other learners of a first answer may take together."""

REMEMBERED = 2000


class Quickness:
    """Seconds that each learner took, by what was asked.

    >>> known = Quickness()
    >>> asked = {"class": {"family": "points"}, "question": "n"}
    >>> known.note(asked, [{"learner": "parity", "seconds": 0.01}])
    >>> known.note(asked, [{"learner": "local", "seconds": 2.0}])
    >>> known.learners(asked)
    ['generic', 'parity']
    """

    def __init__(self) -> None:
        self._seconds: dict[bytes, dict[str, float]] = {}

    def learners(self, asked: dict[str, Any]) -> list[str]:
        """Return the learners that are quick for such a request."""
        known = self._seconds.get(_kind(asked), {})
        chosen, spent = [USUAL], 0.0
        for name, seconds in sorted(known.items(), key=lambda pair: pair[1]):
            spent += seconds
            if name != USUAL and spent <= ENOUGH:
                chosen.append(name)
        return chosen

    def note(self, asked: dict[str, Any], results: list[dict[str, Any]]) -> None:
        """Remember the longest time that each learner took."""
        if len(self._seconds) >= REMEMBERED:
            self._seconds.clear()
        known = self._seconds.setdefault(_kind(asked), {})
        for each in results:
            name = each["learner"]
            known[name] = max(known.get(name, 0.0), each["seconds"])


def _kind(asked: dict[str, Any]) -> bytes:
    """Return a digest of what a learner's time depends on, but for sliders that hardly change it.

    A digest, because a request may hold anything in its fields, and of any length.
    """
    names = ("class", "question", "labels", "agnostic", "proper")
    kind = {name: asked.get(name) for name in names}
    stated = asked.get("best_error") not in (None, "")
    told = json.dumps([kind, asked.get("delta") in (None, "0", 0), stated], sort_keys=True)
    return sha256(told.encode()).digest()
