"""A schema to fill in: names and stored types of the columns, and nothing of what they hold."""

from __future__ import annotations

import re

from tacit.data.reading.source import Source, open_source
from tacit.data.schema.schema import key

_HEAD = """\
# A tacit schema: fill in the type and the public domain of each column you want to use, and
# delete the others, also one that only says whose each row is (--person). The ranges are left
# blank on purpose. Write what is known without looking at the rows (a person is 0 to 120 years
# old): a range read off the data tells its extreme rows to everyone who sees a rule, and no
# privacy guarantee would cover that.
#
# The names are the first line of a CSV file. If they are somebody's values, the file has no header:
# add one, and do not pass this text on.
#
# A kind is suggested where the table stores a column in a type of its own, as Parquet does; in a
# CSV file all is text. Libraries may choose a type by the cells: this is for the table's owner.
#
# What may stand under a column's name:
#
#   type = "integer"
#   low = 0
#   high = 120
#
#   type = "real"
#   low = 10
#   high = 60
#   step = 0.1
#
#   type = "category"
#   values = ["f", "m"]
#
#   type = "date"
#   low = 2015-01-01
#   high = 2026-12-31
#
#   type = "bits"            # 0/1, true/false, yes/no, and other words if they are named:
#   yes = ["positive"]
#   no = ["negative"]
#
# Any may be a label. Each may add a line outside = "clip" (the default: out of range goes to the
# nearest end, what is missing or does not read to the first value, or no) or outside = "null" (all
# go to a value of their own). How many do not read: tacit schema check schema.toml FILE --owner
"""


_KINDS = {
    r"bool": ("bits",),
    r"u?(tiny|small|big|huge)?int(eger)?[0-9]*$": ("integer", "low", "high"),
    r"float|double|halffloat|decimal": ("real", "low", "high", "step"),
    r"date|timestamp": ("date", "low", "high"),
}
"""How stored types are called, and the kind of column that holds them, with what it needs."""


def template(source: Source) -> str:
    """Write a schema with the columns' names, and the kinds that their stored types suggest.

    >>> print(template({"age": [], "sick": []})[-52:])
    <BLANKLINE>
    [columns.age]
    type = ""
    <BLANKLINE>
    [columns.sick]
    type = ""
    <BLANKLINE>
    """
    opened = open_source(source)
    names = dict.fromkeys(name for name in opened.names if name)
    return "\n".join([_HEAD, *(_table(name, opened.types.get(name, "")) for name in names)])


def _table(name: str, stored: object) -> str:
    """Write the table of a column; what is left blank is refused until it is filled in."""
    fits = (needs for called, needs in _KINDS.items() if re.match(called, str(stored).lower()))
    kind, *blanks = next(fits, ("",))
    lines = [f"[columns.{key(name)}]", f'type = "{kind}"', *(f'{blank} = ""' for blank in blanks)]
    return "\n".join([*lines, ""])
