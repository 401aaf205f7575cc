"""The pages of the documentation that are written from what the papers' tables hold."""

from __future__ import annotations

from collections import Counter

from tacit.theory.papers.errata import ERRATA, KINDS, Erratum
from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.theorems import Statement, papers, theorems

ERRATA_HEAD = """# Errors found in the papers

Each begins with words of the paper, exactly as its text has them ([...] where some are left out).
Then come what is printed in short, what is correct, an instance that shows it, and the test in our
suite that fails if the error comes back. They are of five kinds:

- **Wrong statements** are false as they stand, if only for some parameters or by a constant.
- **Wrong steps of proofs** do not hold or do not follow; what they are for stands, perhaps changed.
- **Misprints** are slips that the rest of the text sets right.
- **Merely loose** is what is true where more could be said.
- **Our own cautions** are no errors: the paper is right there, and easily taken for something else.

Where the instance is a number, `ERRATA["C1"].witness()` of `tacit.theory.papers.errata` computes
it, in rationals, and a test runs all of them. `tacit audit --list` has the mechanisms that are not
private as they were printed, each refuted.

This page is written from `src/tacit/theory/papers/errata.toml`, and tests compare the two, and the
quotes with the papers.
"""

COLUMNS = ("id", "where", "the paper says", "as printed", "correct", "shown by", "test")


def errata_page() -> str:
    """Return the page of the documentation.

    >>> errata_page().splitlines()[0]
    '# Errors found in the papers'
    """
    parts = [ERRATA_HEAD]
    for paper in dict.fromkeys(erratum.paper for erratum in ERRATA.values()):
        parts.append(f"\n## [{paper}] {REFERENCES[paper]}")
        for kind, heading in KINDS.items():
            found = [each for each in ERRATA.values() if (each.paper, each.kind) == (paper, kind)]
            if found:
                parts += [f"\n### {heading}\n", _line(COLUMNS), "|---" * len(COLUMNS) + "|"]
                parts += map(_row, found)
    return "\n".join(parts) + "\n"


def _row(found: Erratum) -> str:
    says = f"`{found.says}`" if set(found.says) & {"$", "\\"} else f"“{found.says}”"
    test = f"`{found.guard}`" if found.guard else ""
    return _line((found.id, found.where, says, found.printed, found.correct, found.shown_by, test))


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


THEOREMS_HEAD = """# Theorem by theorem

Every numbered statement of the papers that tacit follows: what it says, in one line of our own
words, and where it is implemented, proved, audited, tested and run; or why it is not. On the
command line, `tacit theorem BNS16:3.13` shows one of them, and `tacit theorem --paper BNS16` those
of a paper. A line to run is for a shell if it begins with `tacit`, and else for a Python prompt.
Where the papers err, [the errata](errata.md) say what is right.

This page is written from `theorems.toml` in `tacit.theory.papers`. Tests compare the two, import
every name, run every line, and count the statements.
"""


def theorems_page() -> str:
    """Return the page.

    >>> theorems_page().splitlines()[0]
    '# Theorem by theorem'
    """
    parts = [
        THEOREMS_HEAD,
        "| paper | statements | implemented | in part | not |",
        "|---|---|---|---|---|",
    ]
    for key in papers():
        counts = Counter(found.standing for found in theorems(key))
        whole, part = counts["implemented"], counts["implemented in part"]
        rest = counts["not implemented"]
        parts.append(f"| {key} | {whole + part + rest} | {whole} | {part} | {rest} |")
    for paper in papers().values():
        parts.append(f"\n## [{paper.key}] {REFERENCES[paper.key]}\n\n{paper.numbering}")
        parts += [_section(found) for found in theorems(paper.key)]
    return "\n".join(parts) + "\n"


def _section(found: Statement) -> str:
    lines = [f"\n### {found.cited}\n", f"{found.says}\n"]
    if found.code:
        lines.append("- code: " + ", ".join(f"`{name}`" for name in found.code))
    if found.proof:
        lines.append(f"- proof: [{found.proof.removesuffix('.md')}](proofs/{found.proof})")
    if found.case:
        lines.append(f"- audit: `tacit audit {found.case}`")
    if found.test:
        lines.append(f"- test: `{found.test}`")
    if found.runs:
        lines.append(f"- run: `{found.runs}`")
    if found.why:
        lines.append(f"- {'limits' if found.code else 'not implemented'}: {found.why}")
    return "\n".join(lines)
