"""A report as one web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tacit.interfaces.report.blocks import (
    Block,
    CodeBlock,
    CurveBlock,
    Grid,
    Node,
    Section,
    Text,
    Warned,
)
from tacit.interfaces.report.svg import draw_curve, draw_tree

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2a41; background: #fff; margin: 2rem auto;
       max-width: 52rem; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .8rem 0; }
td, th { text-align: left; vertical-align: top; padding: .3rem 1.2rem .3rem 0;
         border-bottom: 1px solid #d7dde6; overflow-wrap: anywhere; }
th { font-weight: 600; } table.facts td:first-child { color: #5a6a80; white-space: nowrap; }
pre { background: #f4f6f9; padding: .8rem; overflow-x: auto; font-size: 13px; }
.warned { border-left: 4px solid #c98a1b; background: #fff8e8; padding: .5rem .9rem; }
.grave { border-left-color: #b3261e; background: #fdecea; font-weight: 600; }
figure { margin: .8rem 0; overflow-x: auto; } svg text { font-size: 13px; fill: #1b2a41; }
path { fill: none; stroke-width: 2; } .edge { stroke: #9aa8ba; stroke-width: 1.2; }
.grid { stroke: #e3e8ef; stroke-width: 1; } .node { fill: #2f6690; } .here { fill: #c1440e; }
path.promised { stroke: #2f6690; } svg text.promised { fill: #2f6690; }
path.impossible { stroke: #8a8f98; stroke-dasharray: 5 4; } svg text.impossible { fill: #6b7280; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Return the page; it is well-formed XML too, so that any program can read it."""
    body = "\n".join(
        f"<section><h2>{_text(each.title)}</h2>\n{_blocks(each.blocks)}\n</section>"
        for each in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width"/>\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{_text(title)}</h1>\n<p>{_text(lead)}</p>\n{body}\n</body>\n</html>\n"
    )


def _blocks(blocks: Sequence[Block]) -> str:
    return "\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Text(said):
            return f"<p>{_text(said)}</p>"
        case Warned(said, grave):
            return f'<p class="warned{" grave" * grave}">{_text(said)}</p>'
        case CodeBlock(text):
            return f"<pre>{_text(text)}</pre>"
        case Grid(rows, header):
            head = f"<thead>{_row(header, 'th')}</thead>" if header else ""
            kind = "" if header else ' class="facts"'
            inner = "\n".join(_row(row, "td") for row in rows)
            return f"<table{kind}>{head}<tbody>\n{inner}\n</tbody></table>"
        case Node():
            return f"<figure>{draw_tree(_clean(block))}</figure>"
        case CurveBlock():
            return f"<figure>{draw_curve(block)}</figure>"


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"


def _clean(node: Node) -> Node:
    return Node(_printable(node.said), tuple(map(_clean, node.parts)))


def _text(said: str) -> str:
    return escape(_printable(said))


def _printable(said: str) -> str:
    """Show what no page may hold, such as control characters, as a box."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\u25a1" for c in said)
