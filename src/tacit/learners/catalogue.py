"""All learners by name."""

from __future__ import annotations

from tacit.core.errors import InvalidArgument
from tacit.learners import (
    block_parity,
    box_ascent,
    centre_point_halfspace,
    cover,
    decision_list,
    generic,
    hashed_point,
    histogram,
    line,
    local,
    margin,
    parity,
    parties_learner,
    per_side_box,
    prefix_threshold,
    prior,
    protocol,
    rec_concave_threshold,
    representation,
    sanitized,
    shared_cover,
    simulated_local,
    stable_erm,
    stable_point,
    statistical_query,
    voting_line,
)
from tacit.learners.listing import Listing
from tacit.learners.wrapped import wrapped, wrapping

CATALOGUE: dict[str, Listing] = {
    listing.name: listing
    for listing in (
        generic.LISTING,
        histogram.LISTING,
        block_parity.LISTING,
        shared_cover.LISTING,
        decision_list.LISTING,
        box_ascent.LISTING,
        centre_point_halfspace.LISTING,
        margin.LISTING,
        parity.LISTING,
        per_side_box.LISTING,
        prefix_threshold.LISTING,
        prior.LISTING,
        rec_concave_threshold.LISTING,
        stable_point.LISTING,
        stable_erm.LISTING,
        hashed_point.LISTING,
        statistical_query.LISTING,
        local.LISTING,
        simulated_local.LISTING,
        parties_learner.LISTING,
        representation.LISTING,
        line.LISTING,
        voting_line.LISTING,
        cover.LISTING,
        sanitized.LISTING,
        protocol.LISTING,
    )
}
CATALOGUE |= {listing.name: listing for listing in wrapped(CATALOGUE)}


def named(name: str) -> Listing:
    """Return the learner of this name; some names say which learners it is made from.

    >>> named("generic").classes, named("boosted(parity)").classes
    ('every class', 'parities')
    """
    found = CATALOGUE.get(name) or wrapping(name, CATALOGUE)
    if found is None:
        raise InvalidArgument(f"learner {name!r} is not known; see: tacit learn --list")
    return found
