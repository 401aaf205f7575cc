"""`make bench`: every comparison in one run, with its bar."""

from __future__ import annotations

import platform
import sys

from rich.console import Console
from rich.table import Table

from benchmarks import noise, selection


def main() -> int:
    """Print the table; the exit status says whether all bars hold."""
    rows = [*selection.measure(), *noise.measure()]
    table = Table("measured", "ours", "peer", "theirs", "ratio", "bar", "", box=None)
    for row in rows:
        table.add_row(
            row.name,
            f"{row.ours * 1000:.3g} ms",
            row.peer,
            f"{row.theirs * 1000:.4g} ms",
            f"{row.ratio:.3g}",
            f"≤ {row.bar:.3g}",
            "holds" if row.holds else "MISSED",
        )
    Console(width=160).print(
        f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}", table
    )
    return 0 if all(row.holds for row in rows) else 1


sys.exit(main())
