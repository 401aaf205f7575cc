"""A report as Markdown: the certificate, for a repository or a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.report.blocks import (
    BarsBlock,
    Block,
    CodeBlock,
    CurveBlock,
    Grid,
    Node,
    PlotBlock,
    Section,
    Text,
    Warned,
)

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
"""What Markdown, or the HTML in it, could take for its own."""


def document(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Return the report as Markdown."""
    parts = [f"# {text(title)}", text(lead)]
    for section in sections:
        parts.append(f"## {text(section.title)}")
        parts.extend(filter(None, map(_block, section.blocks)))
    return "\n\n".join(parts) + "\n"


def text(said: str) -> str:
    r"""Write words so that none of them is markup.

    >>> text("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return SPECIAL.sub(r"\\\1", boxed(" ".join(said.split())))


def _block(block: Block) -> str:
    match block:
        case Text(said):
            return text(said)
        case Warned(said, grave):
            return f"> **{'Warning' if grave else 'Note'}:** {text(said)}"
        case CodeBlock(said):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", said)), default=0))
            return f"{fence}text\n{said.rstrip()}\n{fence}"
        case Grid(rows, header):
            return _table(rows, header or ("",) * len(rows[0])) if rows else ""
        case Node():
            return "\n".join(_items(block, 0))
        case CurveBlock(promised, impossible, _):
            least = {error: str(rows) for rows, error in impossible}
            lines = [(f"{error:.4g}", str(rows), least.get(error, "")) for rows, error in promised]
            return _table(lines, ("error", "rows that are enough", "fewer than so many never are"))
        case PlotBlock(numbers=numbers) | BarsBlock(numbers=numbers):
            return "" if numbers is None else _block(numbers)


def _table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    written = [[cell if cell == "---" else text(cell) for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def _items(node: Node, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}- {text(node.said)}"
    for part in node.parts:
        yield from _items(part, depth + 1)
