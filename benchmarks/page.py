"""A page of the documentation with what was measured: one section a part, each with its date."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.side_by_side import Row

HEAD = """# What was measured

Written by `make bench`: every comparison with its bar. Both sides of a line ran in one process or
session, by turns; a ratio is ours over the other, so smaller is better. A section says when and
where it was measured. Each file of `benchmarks/` says what its lines compare, and why that is fair.
"""
_SECTION = re.compile(r"^## ", re.MULTILINE)


def write(page: Path, parts: Mapping[str, Sequence[Row]]) -> None:
    """Put sections on the page, in place of those of the same names."""
    for name, rows in parts.items():
        put(page, name, section(rows))


def put(page: Path, name: str, said: str) -> None:
    """Put one section on the page, in place of that of the same name."""
    _, *old = _SECTION.split(page.read_text()) if page.exists() else [""]
    sections = {text.partition("\n")[0]: text for text in old}
    sections[name] = f"{name}\n\n{said}"
    text = "\n".join([HEAD, *(f"## {section.strip()}\n" for section in sections.values())])
    page.write_text(text)


def machine() -> str:
    """Describe this machine: processor, cores, memory, system, Python."""
    cpu = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", cpu.read_text()) if cpu.exists() else None
    name = named[1].strip() if named else platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{name}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def section(rows: Sequence[Row]) -> str:
    """Write comparisons as a table, with the day and the machine."""
    lines = [
        f"{datetime.now(UTC):%Y-%m-%d}, {machine()}.\n",
        "| measured | ours | beside | theirs | ratio | bar | |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        ours, theirs = row.said
        kept = "holds" if row.holds else "**missed**"
        lines.append(
            f"| {row.name} | {ours} | {row.peer} | {theirs} | {row.ratio:.3g} "
            f"| ≤ {row.bar:.3g} | {kept} |"
        )
    return "\n".join(lines)
