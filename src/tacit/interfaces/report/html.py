"""A report as one web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence

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
from tacit.interfaces.report.svg import draw_bars, draw_curve, draw_plot, draw_tree
from tacit.interfaces.report.svg import text as _text

INK = """
svg text { font-size: 13px; fill: var(--ink); } svg text.strong { font-weight: 600; }
path { fill: none; stroke-width: 2; } .edge { stroke: var(--grey); stroke-width: 1.2; }
.grid { stroke: var(--line); stroke-width: 1; } .node { fill: var(--blue); }
.here, .less { fill: var(--red); } .promised { stroke: var(--blue); }
.told { fill: var(--paper); stroke: var(--red); stroke-width: 2; }
.impossible { stroke: var(--grey); stroke-dasharray: 5 4; }
.band { fill: var(--blue); opacity: .2; }
"""
"""What drawings look like; a printer that styles each by itself is handed this alone."""

STYLE = (
    """
:root { color-scheme: light dark; --ink: #1b2a41; --soft: #5a6a80; --paper: #fff; --line: #d7dde6;
        --pale: #f4f6f9; --blue: #2f6690; --red: #c1440e; --grey: #6b7280; --warm: #fff8e8;
        --grave: #fdecea; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8edf3; --soft: #aab6c4; --paper: #10161e; --line: #344152; --pale: #18212c;
          --blue: #6cb8ec; --red: #ff8f4d; --grey: #9aa5b3; --warm: #3a2a17; --grave: #3d1e20; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       margin: 1.4rem auto; max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 1.2rem 0 .4rem; }
p { margin: .4rem 0; } summary { cursor: pointer; padding: .45rem 0; }
details { border-top: 1px solid var(--line); } summary h2 { display: inline; }
details details { border: 0; } details[open] { padding-bottom: .8rem; }
table { border-collapse: collapse; margin: .6rem 0; }
td, th { text-align: left; vertical-align: top; padding: .25rem 1.2rem .25rem 0;
         border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; overflow-wrap: normal; }
td:first-child { min-width: 5rem; overflow-wrap: break-word; }
table.facts td:first-child { color: var(--soft); white-space: nowrap; }
pre { background: var(--pale); padding: .8rem; overflow-x: auto; font-size: 13px; }
.warned { border-left: 4px solid #c98a1b; background: var(--warm); padding: .5rem .9rem; }
.grave { border-left-color: #b3261e; background: var(--grave); font-weight: 600; }
figure { margin: .4rem .4rem 0 0; overflow-x: auto; display: inline-block; max-width: 100%;
         vertical-align: top; }
figure svg { max-width: 100%; height: auto; }
.bars { columns: 27rem 2; column-gap: 1.5rem; } .bars svg { break-inside: avoid; display: block; }
figure:has(.bars) { display: block; }
"""
    + INK
    + """.paper { display: none; }
@page { size: A4; margin: 12mm 13mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 8pt; line-height: 1.3; }
  h1 { font-size: 14pt; } h2 { font-size: 10.5pt; margin-top: .7rem; }
  .screen { display: none; } .paper { display: block; } summary { list-style: none; padding: 0; }
  details::details-content { display: block; content-visibility: visible; }
  details { border: 0; } details[open] { padding: 0; }
  h2, summary { break-after: avoid; } figure, tr, .warned { break-inside: avoid; }
  td, th { padding: .1rem .9rem .1rem 0; } table { margin: .3rem 0; } p { margin: .25rem 0; }
  figure svg { max-height: 46mm; width: auto; } figure:has(.bars) { break-inside: auto; }
  .bars { columns: 2; } .bars svg { max-height: none; width: 100%; } }
"""
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Return the page; it is well-formed XML too, so that any program can read it."""
    body = "\n".join(map(_section, sections))
    left_out = [each.title for each in sections if not each.printed]
    if left_out:
        body += f'\n<p class="paper">Not printed: {_text(", ".join(left_out))}.</p>'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width"/>\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{_text(title)}</h1>\n<p>{_text(lead)}</p>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    title, inner = f"<h2>{_text(section.title)}</h2>", _blocks(section.blocks)
    kind = "" if section.printed else ' class="screen"'
    if section.folded:
        inner = f"<details><summary>{title}</summary>\n{inner}\n</details>"
        return f"<section{kind}>{inner}</section>"
    return f"<section{kind}>{title}\n{inner}\n</section>"


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
        case BarsBlock(numbers=numbers):
            table = f"<details><summary>The same as a table</summary>{_block(numbers)}</details>"
            return f'<figure>{drawn(block)}</figure>\n<div class="screen">{table}</div>'
    return f"<figure>{drawn(block)}</figure>"


def drawn(block: Node | CurveBlock | PlotBlock | BarsBlock) -> str:
    """Return what is drawn as SVG for a web page, whose style gives its classes their ink."""
    match block:
        case Node():
            return draw_tree(block)
        case CurveBlock():
            return draw_curve(block)
        case PlotBlock():
            return draw_plot(block)
    return draw_bars(block)


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"
