"""The page of the documentation that lists every statement of the papers."""

from __future__ import annotations

from collections import Counter

from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.theorems import Statement, papers, theorems

HEAD = """# Theorem by theorem

Every numbered statement of the papers that tacit follows: what it says, in one line of our own
words, and where it is implemented, proved, audited, tested and run; or why it is not. On the
command line, `tacit theorem BNS16:3.13` shows one of them, and `tacit theorem --paper BNS16` those
of a paper. A line to run is for a shell if it begins with `tacit`, and else for a Python prompt.
Where the papers err, [the errata](errata.md) say what is right.

This page is written from `theorems.toml` in `tacit.theory.papers`. Tests compare the two, import
every name, run every line, and count the statements.
"""


def page() -> str:
    """Return the page.

    >>> page().splitlines()[0]
    '# Theorem by theorem'
    """
    parts = [HEAD, "| paper | statements | implemented | in part | not |", "|---|---|---|---|---|"]
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
