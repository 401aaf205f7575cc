"""The rows that are learned from: counted as a learner takes them, held out, or public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact, told
from tacit.core.unit import Unit
from tacit.data.persons.reading import person_counts
from tacit.data.reading.coding import Coding
from tacit.data.reading.files import TABLE, find_files
from tacit.data.reading.opened import Opened
from tacit.data.reading.reduction import (
    count_points,
    joint_counts,
    open_table,
    sample_of,
    scored_in_place,
)
from tacit.data.reading.source import Source
from tacit.data.schema.schema import Schema
from tacit.data.spark.room import check_room
from tacit.learners.contract.entry import Entry
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.every_class import public_cover
from tacit.learners.made_from.with_public_rows import WithPublicRows
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.counts.joint_counts import JointCounts
from tacit.statistics.counts.marks import joined

USUAL = Fraction(1, 5)
"""The share of the rows that is held out, if nothing else is said."""
NOT_HELD_OUT = (
    "no rows can be held out (--hold-out) of several parties' tables, or where labels alone are "
    "protected: say --hold-out 0, and measure the model on other rows (tacit measure)"
)
"""Why some releases are not measured, and the way out."""


def counted_rows(
    source: Source,
    coding: Coding,
    entry: Entry | None,
    scored: ConceptClass[Any] | None,
    hold_out: Exact | None,
    unit: Unit,
    *,
    labels_only: bool,
    stays: bool = False,
) -> tuple[Any, Fraction]:
    """Count the rows as a learner takes them, and say which share of them is held out.

    The class that is to be `scored` may be scored where the rows are; of persons all rows are kept.
    Rows that lie elsewhere are left there if nothing that is asked forbids that (`stays`): who
    learns from them is decided by their number.
    """
    by_party = entry is not None and entry.by_party
    share = USUAL if hold_out is None else read_hold_out(hold_out)
    if by_party or labels_only:
        if hold_out:
            raise InvalidArgument(NOT_HELD_OUT)
        share = Fraction(0)
    if by_party and unit.person:
        raise InvalidArgument("person (--person): parties count rows; leave out one of the two")
    opened = source if by_party else open_table(source, coding)
    if unit.person:
        return person_counts(opened, coding, unit.person), share
    public = not (by_party or unit.added)
    if public and stays and (share or entry is None or entry.polls) and opened.distant is not None:
        rows = opened.distant(coding)
        return replace(rows, here=partial(_counted_here, opened, coding, rows)), share
    jointly = taken_jointly(coding, entry, share)
    in_place = None if share else scored
    if public and not scored_in_place(opened, coding, in_place):
        check_room(opened, replace(coding, jointly=jointly))
    return sample_of(opened, coding, by_party=by_party, jointly=jointly, scored=in_place), share


def taken_jointly(coding: Coding, entry: Entry | None, share: Fraction) -> bool:
    """Whether a learner, or who measures it, has to know which labels occur in the same row."""
    jointly = share > 0 or (entry is not None and entry.make_jointly is not None)
    return jointly or (joined(coding.groups) and (entry is None or entry.joins))


def _counted_here(opened: Opened, coding: Coding, rows: DistantRows, jointly: bool) -> Any:  # noqa: FBT001
    """Count here: jointly from the counts that are kept there, else from the table."""
    kept = replace(opened, rows=lambda: rows.n)
    if jointly:
        kept = replace(kept, counted=lambda _: rows.table())
    check_room(kept, replace(coding, jointly=jointly))
    return sample_of(kept, coding, jointly=jointly)


def read_hold_out(hold_out: Exact) -> Fraction:
    """Read which share of the rows is held out."""
    share = check.exact(hold_out=hold_out)
    if not 0 <= share < 1:
        raise InvalidArgument(
            f"hold_out (--hold-out) must be at least 0 and below 1, got {told(hold_out)}; 0.2 "
            "measures on a fifth of the rows, 0 measures nothing"
        )
    return share


def parties_of(source: Source) -> int:
    """Return how many tables a list of sources has, one for each party.

    >>> parties_of([{"ill": [1]}, {"ill": [0, 1]}])
    2
    """
    if not isinstance(source, list | tuple) or len(source) < 2:
        raise InvalidArgument(
            "this learner takes one table from each party: give two files or more, one a party"
        )
    if len({id(table) for table in source}) < len(source):
        raise InvalidArgument("the same table was given for two parties; give each its own")
    paths = [table for table in source if isinstance(table, str | Path)]
    if len(paths) > 1:
        find_files(paths)  # refuses a file that is named twice
    return len(source)


class PublicRows(NamedTuple):
    """The points of all public rows, and if they have labels, how often each record occurs."""

    points: tuple[Any, ...] = ()
    labelled: JointCounts | None = None

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.points) if self.labelled is None else self.labelled.n

    @property
    def learned_from(self) -> int:
        """How many rows are learned from as private ones are."""
        return 0 if self.labelled is None else self.labelled.n

    @property
    def usual(self) -> str:
        """The learner that is taken where none is named, if these rows decide that."""
        return public_cover.ENTRY.name if self.points else ""

    def check(self, entry: Entry | None, *, labels_only: bool, class_named: bool) -> None:
        """Refuse what nothing can be made of, and say the way out."""
        if not self.n:
            return
        if labels_only:
            raise InvalidArgument(
                "--labels-only takes the features of all rows as public: leave out --public"
            )
        if entry is not None and entry.by_party:
            raise InvalidArgument(
                f"learner {entry.name!r} takes no public rows: leave out --public"
            )
        if self.labelled is not None and entry is not None and entry.public:
            raise InvalidArgument(
                f"learner {entry.name!r} takes public rows without labels: leave out "
                "--public-labelled, or choose another learner"
            )
        if self.labelled is None and not class_named:
            raise InvalidArgument(
                "public rows without labels make a cover of a class: name one (--class); if they "
                "have labels, say --public-labelled"
            )
        if self.labelled is None and entry is not None and not entry.public:
            raise InvalidArgument(
                f"learner {entry.name!r} makes nothing of public rows without labels: leave out "
                f"--learner, which is {public_cover.ENTRY.name} then; if they have labels, say "
                "--public-labelled"
            )

    def added_to(self, made: MultiLearner[Any]) -> MultiLearner[Any]:
        """Return the learner that learns from these rows too, if they have labels."""
        return made if self.labelled is None else WithPublicRows(made, self.labelled)


def public_rows(
    public: Source | None,
    private: Source,
    schema: Schema,
    features: Sequence[str],
    labels: Sequence[str],
    cuts: Mapping[str, Sequence[Any]],
    *,
    labelled: bool,
) -> PublicRows:
    """Read the public rows by the same schema: their features, and if `labelled` their labels.

    >>> from tacit.data import Integer
    >>> schema = Schema({"age": Integer(0, 120)})
    >>> public_rows({"age": [67, 41, 67]}, {}, schema, ["age"], [], {}, labelled=False).points
    (41, 67, 67)
    """
    if public is None:
        if labelled:
            raise InvalidArgument("--public-labelled is about public rows: give some (--public)")
        return PublicRows()
    check_apart(public, private)
    if labelled:
        coding = Coding.of(schema, features, labels, cuts=cuts)
        found = PublicRows(labelled=joint_counts(open_table(public, coding), coding))
    else:
        held = count_points(public, Coding.of(schema, features)).table.items()
        found = PublicRows(tuple(point for point, times in held for _ in range(times)))
    if not found.n:
        raise InvalidArgument("public (--public): the table has no rows; leave it out")
    return found


def check_apart(public: Source, private: Source) -> None:
    """Refuse a file, or a table, that is said to be public and private."""
    if public is private:
        raise InvalidArgument("the same table was given as public and as private: leave out public")
    for one, other in product(_files(public), _files(private)):
        if one.samefile(other):
            raise InvalidArgument(
                f"{one} is given as public (--public) and as private: what is public needs no "
                "budget, and what is private must not be named so; leave out one"
            )


def _files(source: Source) -> Sequence[Path]:
    """Return the files that a source names, if it names files."""
    parts = source if isinstance(source, list | tuple) else [source]
    if not all(isinstance(part, str | Path) for part in parts):
        return []
    named = [part for part in parts if not str(part).startswith(TABLE)]
    return find_files(named) if named else []
