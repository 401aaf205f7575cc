"""A schema to fill in: the names of the columns, and nothing of what they hold."""

from __future__ import annotations

from tacit.data.reading.source import Source, open_source
from tacit.data.schema.schema import key

_HEAD = """\
# A tacit schema: fill in the type and the public domain of each column you want to use, and
# delete the others. The ranges are left blank on purpose. Write what is known without looking at
# the rows (a person is 0 to 120 years old): a range read off the data tells its extreme rows to
# everyone who sees a rule, and no privacy guarantee would cover that.
#
# The names are the first line of a CSV file. If they are somebody's values, the file has no header:
# add one, and do not pass this text on.
#
#   type = "integer"   low = 0    high = 120
#   type = "real"      low = 10   high = 60    step = 0.1
#   type = "category"  values = ["f", "m"]
#   type = "bits"      0/1, true/false, yes/no; labels are of this type
#
# Each may add outside = "clip" (the default: out of range goes to the nearest end, missing to the
# first value) or outside = "null" (both go to a value of their own).
"""


def template(source: Source) -> str:
    """Write a schema with the columns' names and blank types, from the header alone.

    >>> print(template({"age": [], "sick": []})[-52:])
    <BLANKLINE>
    [columns.age]
    type = ""
    <BLANKLINE>
    [columns.sick]
    type = ""
    <BLANKLINE>
    """
    names = dict.fromkeys(name for name in open_source(source).names if name)
    return "\n".join([_HEAD, *(f'[columns.{key(name)}]\ntype = ""\n' for name in names)])
