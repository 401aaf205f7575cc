"""All learners by name."""

from __future__ import annotations

from tacit.core.errors import InvalidArgument
from tacit.learners.algebra import block_parity, line, parity, voting_line
from tacit.learners.boxes import box_ascent, per_side_box
from tacit.learners.contract.entry import Listing
from tacit.learners.every_class import cover, generic, protocol, representation, stable_erm
from tacit.learners.linear import centre_point_halfspace, margin
from tacit.learners.made_from.wrapped import wrapped, wrapping
from tacit.learners.many_labels import sanitized, shared_cover
from tacit.learners.points import hashed_point, histogram, stable_point
from tacit.learners.queries import local, simulated_local, statistical_query
from tacit.learners.rules import decision_list, parties_learner
from tacit.learners.thresholds import prefix_threshold, prior, rec_concave_threshold

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
