"""End the demo with what was learned, and where to read on."""

from __future__ import annotations

import sys
from pathlib import Path

from tacit.learners import Model
from tacit.workflows import rules


def main(folder: Path) -> None:
    """Print the rules and the path of the report."""
    model = Model.loads((folder / "model.json").read_text())
    print("Learned, and fit to be shown to anyone:")
    for label, rule in zip(model.labels, rules(model), strict=True):
        print(f"  {label}: yes {'' if rule == 'always' else 'if '}{rule}")
    print(f"The report, with the certificate of privacy: {folder / 'report.html'}")


main(Path(sys.argv[1]))
