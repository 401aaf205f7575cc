"""All learners by name."""

from __future__ import annotations

from tacit.core.errors import InvalidArgument, nearest
from tacit.learners.algebra import block_parity, line, parity, voting_line
from tacit.learners.boxes import box_ascent, per_side_box
from tacit.learners.contract import Entry
from tacit.learners.every_class import (
    cover,
    generic,
    label_private,
    protocol,
    public_cover,
    representation,
)
from tacit.learners.linear import joint_counted, joint_margin
from tacit.learners.made_from.wrapped import wrapped, wrapping
from tacit.learners.many_labels import label_histogram, sanitized, shared_cover
from tacit.learners.points import (
    hashed_point,
    hashed_tally,
    histogram,
    pure_histogram,
    stable_point,
    tally_point,
)
from tacit.learners.queries import local, statistical_query
from tacit.learners.rules import parties_learner, short_rules
from tacit.learners.thresholds import prefix_threshold, prior, tree_threshold

CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        generic.ENTRY,
        histogram.ENTRY,
        histogram.PROPER,
        pure_histogram.ENTRY,
        pure_histogram.PROPER,
        block_parity.ENTRY,
        block_parity.PURE,
        shared_cover.ENTRY,
        shared_cover.CLASSES,
        label_histogram.ENTRY,
        box_ascent.ENTRY,
        joint_counted.ENTRY,
        joint_margin.ENTRY,
        parity.ENTRY,
        per_side_box.ENTRY,
        prefix_threshold.ENTRY,
        prior.ENTRY,
        short_rules.ENTRY,
        tree_threshold.ENTRY,
        stable_point.ENTRY,
        tally_point.ENTRY,
        hashed_point.ENTRY,
        hashed_tally.ENTRY,
        statistical_query.ENTRY,
        local.ENTRY,
        parties_learner.ENTRY,
        representation.ENTRY,
        line.ENTRY,
        voting_line.ENTRY,
        cover.ENTRY,
        sanitized.ENTRY,
        protocol.ENTRY,
        label_private.ENTRY,
        public_cover.ENTRY,
    )
}
CATALOGUE |= {entry.name: entry for entry in wrapped(CATALOGUE)}
USUAL = generic.ENTRY.name
"""The learner that is taken where none is named: it is for every class, and quick to plan."""


def named(name: str) -> Entry:
    """Return the learner of this name; some names say which learners it is made from.

    >>> named("generic").classes, named("boosted(parity)").classes
    ('every class', 'parities')
    """
    found = CATALOGUE.get(name) or wrapping(name, CATALOGUE)
    if found is None:
        hint = nearest(name, CATALOGUE) or "see: tacit learn --list"
        raise InvalidArgument(f"learner {name!r} is not known; {hint}")
    return found
