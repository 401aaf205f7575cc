"""All learners by name."""

from __future__ import annotations

from tacit.core.errors import InvalidArgument
from tacit.learners import generic
from tacit.learners.listing import Listing

CATALOGUE: dict[str, Listing] = {listing.name: listing for listing in (generic.LISTING,)}


def named(name: str) -> Listing:
    """Return the learner of this name.

    >>> named("generic").classes
    'every class'
    """
    if name not in CATALOGUE:
        raise InvalidArgument(f"learner {name!r} is not known; see: tacit learn --list")
    return CATALOGUE[name]
