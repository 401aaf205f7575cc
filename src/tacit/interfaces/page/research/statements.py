"""The Theorems page: every numbered statement of the papers, and where it lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from tacit.interfaces.page.serving.fields import Fields
from tacit.theory.papers.theorems import theorems


def listed(asked: Fields, tell: Callable[[str], None]) -> dict[str, Any]:  # noqa: ARG001
    """Return all statements; the page searches among them."""
    found = theorems()
    return {
        "theorems": [
            asdict(each) | {"cited": each.cited, "standing": each.standing, "paper": each.paper}
            for each in found
        ]
    }
