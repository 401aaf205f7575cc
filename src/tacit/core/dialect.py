"""The pieces in which the SQL of servers differs: names, types, and how a cell's text is read."""

# ruff: noqa: S608 -- pieces of SQL, made of constants

from __future__ import annotations

import re
from dataclasses import dataclass

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import told

_DIGITS = "([0-9]+([.][0-9]*)?|[.][0-9]+)"
_INFINITE = "[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?"
_NUMBER = f"[+-]?{_DIGITS}([eE][+-]?[0-9]+)?|{_INFINITE}"
_WHOLE = "[+-]?[0-9]{1,38}([.]0*)?"
_ZONE = "( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?"
_TIME = f"([T ][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?{_ZONE})?"
_DAY = f"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{_TIME}"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one server writes what SQL does not agree on; {x} is a column, {t} its trimmed text.

    `number` is the nearest float64 of a cell and NULL where it is no number, `whole` the exact
    integer of a text of digits, `name` the text by which a category is known, `day` a date in days
    since 1970, `floor` the integer below {t}; `some` says that {test} holds for the number u =
    {line} of some a from 0 to {last};
    `fence` ends a subquery whose expressions shall not be computed at each use, and `lookup` does
    the same where a CASE would compute {t} for each of its {pairs}. No name may hold what is
    `replaced`: the server puts a setting in its place before it looks at quotes. A text
    begins with what is `slashed` if it has a backslash, which is then doubled: some servers take it
    for an escape in other texts, and some do not.

    >>> SPARK.identifier("6` pipe"), DUCKDB.literal("it's"), SPARK.literal("it's")
    ('`6`` pipe`', "'it''s'", "'it\\\\'s'")
    """

    title: str
    quote: str
    text: str
    trim: str
    real: str
    number: str
    whole: str
    name: str
    day: str
    some: str
    floor: str = "CAST(floor({t}) AS BIGINT)"
    quotient: str = "/"
    fence: str = ""
    lookup: str | None = None
    wide: str | None = None
    replaced: str | None = None
    slashed: str | None = None
    escapes: tuple[tuple[str, str], ...] = (("'", "''"),)

    def identifier(self, name: str) -> str:
        """Quote the name of a column or a table."""
        if self.replaced and self.replaced in name:
            raise InvalidArgument(
                f"{self.title} would put a setting in place of {self.replaced} in the name "
                f"{told(name)!r}: give it another name, or choose another --dialect"
            )
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def literal(self, text: str) -> str:
        """Quote a text."""
        before = self.slashed if self.slashed and "\\" in text else ""
        if before:
            text = text.replace("\\", "\\\\")
        for found, written in self.escapes:
            text = text.replace(found, written)
        return f"{before}'{text}'"

    def fill(self, piece: str, **given: str) -> str:
        """Write a piece with what it speaks of."""
        return re.sub(r"\{([a-z]+)\}", lambda found: given[found[1]], piece)


DUCKDB = Dialect(
    title="DuckDB",
    quote='"',
    text="VARCHAR",
    trim=r"trim({t}, E' \t\n\r')",
    real="DOUBLE",
    number=f"CASE WHEN regexp_full_match({{t}}, '{_NUMBER}') THEN TRY_CAST({{t}} AS DOUBLE) END",
    whole=f"CASE WHEN regexp_full_match({{t}}, '{_WHOLE}') "
    "THEN TRY_CAST(split_part({t}, '.', 1) AS HUGEINT) END",
    name="CASE WHEN typeof({x}) LIKE 'DECIMAL%' THEN regexp_replace({t}, '[.]0+$', '') "
    "WHEN typeof({x}) IN ('DOUBLE', 'FLOAT') THEN nullif({t}, 'nan') ELSE {t} END",
    day=f"CASE WHEN regexp_full_match({{t}}, '{_DAY}') "
    "THEN TRY_CAST(left({t}, 10) AS DATE) - DATE '1970-01-01' END",
    some="EXISTS (SELECT 1 FROM (SELECT {line} AS u FROM range({last} + 1) AS slopes(a)) AS lines "
    "WHERE {test})",
    quotient="//",
    wide="HUGEINT",
)

_LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
_CALENDAR = (  # a cast fails on what is no day
    "^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|"
    f"02-(0[1-9]|1[0-9]|2[0-8]))|{_LEAP}-02-29)$"
)
_EXACT = "CAST({t} AS NUMERIC)"
_FINITE = f"[+-]?{_DIGITS}([eE][+-]?0*[0-9]{{1,4}})?"
_FLOAT = (
    f"CASE WHEN {{t}} !~ '^[0-9.e+-]+$' THEN nullif({{t}}, 'NaN') WHEN abs({_EXACT}) < 1e15 AND "
    f"{_EXACT} = trunc({_EXACT}) THEN trunc({_EXACT}) || '.0' ELSE {{t}} END"
)
POSTGRES = Dialect(
    title="PostgreSQL",
    quote='"',
    text="TEXT",
    trim=r"""btrim({t} COLLATE "C", E' \t\n\r')""",
    real="DOUBLE PRECISION",
    # A cast fails on what float64 does not hold. No declared number lies beyond 1e30, nor, but for
    # 0, below 1e-300; what is at most half of the least float64 is 0.
    number=f"CASE WHEN {{t}} !~ '^({_NUMBER})$' OR length({{t}}) > 1000 THEN NULL "
    f"WHEN {{t}} !~ '^{_FINITE}$' THEN CASE WHEN {{t}} ~ '[eE]-|^[^eE1-9]*[eE]' THEN 0 "
    "WHEN {t} LIKE '-%' THEN -1e30 ELSE 1e30 END "
    f"WHEN abs({_EXACT}) <= 2.4703282292062327e-324 THEN 0 "
    f"WHEN abs({_EXACT}) < 1e-300 THEN sign({_EXACT}) * 1e-300 "
    f"ELSE CAST(least(greatest({_EXACT}, -1e30), 1e30) AS DOUBLE PRECISION) END",
    whole=f"CASE WHEN {{t}} ~ '^{_WHOLE}$' THEN CAST(split_part({{t}}, '.', 1) AS NUMERIC) END",
    name="CASE CAST(pg_typeof({x}) AS TEXT) "
    "WHEN 'numeric' THEN nullif(regexp_replace({t}, '[.]0+$', ''), 'NaN') "
    f"WHEN 'double precision' THEN {_FLOAT} WHEN 'real' THEN {_FLOAT} ELSE {{t}} END",
    day=f"CASE WHEN {{t}} ~ '^{_DAY}$' AND left({{t}}, 10) ~ '{_CALENDAR}' "
    "AND {t} NOT LIKE '0000%' "
    "THEN CAST(left({t}, 10) AS DATE) - DATE '1970-01-01' END",
    some="EXISTS (SELECT 1 FROM (SELECT {line} AS u FROM "
    "generate_series(CAST(0 AS BIGINT), {last}) AS slopes(a)) AS lines WHERE {test})",
    fence=" OFFSET 0",
    slashed="E",
)

# No regular expressions: the sign, what stands before and after an e, and before and after a dot.
_SIGNED = (
    "SELECT CASE WHEN t GLOB '[+-]*' THEN substr(t, 2) ELSE t END AS u, "
    "CASE WHEN t GLOB '-*' THEN -1 ELSE 1 END AS g FROM (SELECT lower({t}) AS t) "
    "WHERE instr(t, char(0)) = 0"
)
_PARTS = (
    "SELECT u, g, substr(m, 1, instr(m || '.', '.') - 1) AS i, "
    "rtrim(substr(m, instr(m || '.', '.') + 1), '0') AS f, CAST(e AS INTEGER) AS e FROM "
    "(SELECT u, g, substr(u, 1, instr(u || 'e', 'e') - 1) AS m, "
    "CASE instr(u, 'e') WHEN 0 THEN '0' ELSE substr(u, instr(u, 'e') + 1) END AS e "
    f"FROM ({_SIGNED})) WHERE u IN ('inf', 'infinity') OR (m GLOB '*[0-9]*' "
    "AND m NOT GLOB '*[^0-9.]*' AND m NOT GLOB '*.*.*' "
    "AND e GLOB '*[0-9]*' AND e GLOB '[0-9+-]*' AND substr(e, 2) NOT GLOB '*[^0-9]*')"
)
_TWO = "[0-9][0-9]"
_MINUTES = f"[T ]{_TWO}:{_TWO}"
_ENDS = {f"[+-]{_TWO}:{_TWO}": 6, f"[+-]{_TWO}{_TWO}": 5, f"[+-]{_TWO}": 3, "Z": 1}
_CUT = " ".join(f"WHEN r GLOB '*{z}' THEN substr(r, 1, length(r) - {n})" for z, n in _ENDS.items())
_CLOCK = (
    f"SELECT d, r, CASE {_CUT} ELSE r END AS s FROM (SELECT substr(t, 1, 10) AS d, "
    "substr(t, 11) AS r FROM (SELECT {t} AS t) WHERE instr(t, char(0)) = 0)"
)
SQLITE = Dialect(
    title="SQLite",
    quote="`",
    text="TEXT",
    trim="trim({t}, char(32, 9, 10, 13))",
    real="REAL",
    # Fifteen digits and a power of ten up to 22 are floats, and their quotient is the nearest one.
    number="CASE typeof({x}) WHEN 'real' THEN {x} WHEN 'integer' THEN CAST({x} AS REAL) ELSE "
    "(SELECT g * CASE WHEN u LIKE 'inf%' THEN 9e999 "
    "WHEN length(d) > 15 OR abs(k) > 22 THEN CAST(u AS REAL) "
    "WHEN k < 0 THEN CAST(d AS REAL) / CAST('1e' || -k AS REAL) "
    "ELSE CAST(d AS REAL) * CAST('1e' || k AS REAL) END FROM "
    f"(SELECT u, g, ltrim(i || f, '0') AS d, max(e, -99999) - length(f) AS k FROM ({_PARTS}))) END",
    whole="CASE typeof({x}) WHEN 'integer' THEN {x} WHEN 'real' THEN NULL ELSE "
    "(SELECT CASE WHEN length(d) > 19 OR length(d) = 19 AND d > "
    "CASE g WHEN 1 THEN '9223372036854775807' ELSE '9223372036854775808' END THEN g * 1e19 "
    "ELSE CAST(CASE g WHEN 1 THEN '' ELSE '-' END || d AS INTEGER) END FROM "
    f"(SELECT g, ltrim(i, '0') AS d FROM ({_PARTS}) WHERE f = '' AND length(i) BETWEEN 1 AND 38 "
    "AND u NOT GLOB '*[ein]*')) END",
    name="CASE typeof({x}) WHEN 'real' THEN CASE WHEN abs({x}) < 1e15 AND {x} = "
    "CAST({x} AS INTEGER) THEN CAST({x} AS INTEGER) || '.0' WHEN CAST({t} AS REAL) = {x} THEN {t} "
    "END ELSE {t} END",
    day="(SELECT CAST(julianday(d) - 2440587.5 AS INTEGER) FROM (SELECT d, r, "
    f"CASE WHEN s <> r AND s GLOB '* ' THEN substr(s, 1, length(s) - 1) ELSE s END AS c "
    f"FROM ({_CLOCK})) WHERE d GLOB '{_TWO}{_TWO}-{_TWO}-{_TWO}' AND date(d, '+0 days') = d "
    f"AND (r = '' OR c GLOB '{_MINUTES}' OR c GLOB '{_MINUTES}:{_TWO}' OR "
    f"c GLOB '{_MINUTES}:{_TWO}.[0-9]*' AND substr(c, 11) NOT GLOB '*[^0-9]*'))",
    some="EXISTS (WITH RECURSIVE slopes(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM slopes "
    "WHERE a < {last}) SELECT 1 FROM (SELECT {line} AS u FROM slopes) AS lines WHERE {test})",
    floor="(CAST({t} AS INTEGER) - ({t} < CAST({t} AS INTEGER)))",
    fence=" LIMIT -1 OFFSET 0",
)

SPARK = Dialect(
    title="Spark",
    quote="`",
    text="STRING",
    trim=r"btrim({t}, ' \t\n\r')",
    real="DOUBLE",
    number=f"CASE WHEN {{t}} RLIKE '(?s)^({_NUMBER})(?!.)' THEN TRY_CAST({{t}} AS DOUBLE) END",
    whole=f"CASE WHEN {{t}} RLIKE '(?s)^{_WHOLE}(?!.)' "
    "THEN TRY_CAST(split_part({t}, '.', 1) AS DECIMAL(38, 0)) END",
    name="CASE WHEN typeof({x}) LIKE 'decimal%' THEN regexp_replace({t}, '[.]0+$', '') "
    "WHEN typeof({x}) IN ('double', 'float') THEN CASE WHEN abs(TRY_CAST({t} AS DOUBLE)) < 1e15 "
    "AND TRY_CAST({t} AS DOUBLE) = TRY_CAST(TRY_CAST({t} AS DOUBLE) AS BIGINT) "
    "THEN concat(CAST(TRY_CAST(TRY_CAST({t} AS DOUBLE) AS BIGINT) AS STRING), '.0') "
    "ELSE nullif({t}, 'NaN') END ELSE {t} END",
    day=f"CASE WHEN {{t}} RLIKE '(?s)^{_DAY}(?!.)' "
    "THEN datediff(TRY_CAST(left({t}, 10) AS DATE), DATE '1970-01-01') END",
    some="exists(transform(sequence(CAST(0 AS BIGINT), {last}), a -> {line}), u -> {test})",
    quotient="DIV",
    lookup="try_element_at(map({pairs}), {t})",
    replaced="${",
    escapes=(("\\", "\\\\"), ("'", "\\'"), ("${", "\\u0024{")),
)

DIALECTS = {"duckdb": DUCKDB, "postgres": POSTGRES, "sqlite": SQLITE, "spark": SPARK}


def dialect_named(name: str) -> Dialect:
    """Return the dialect of a server.

    >>> dialect_named("postgres").title
    'PostgreSQL'
    """
    if name not in DIALECTS:
        raise InvalidArgument(f"dialect must be {', '.join(DIALECTS)}; got {told(name)!r}")
    return DIALECTS[name]
