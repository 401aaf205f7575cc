"""Where the `tacit` command begins, and how it ends when it cannot do what it was asked."""

from __future__ import annotations

import sys
from importlib import import_module

from tacit.core.errors import Refused, TacitError
from tacit.interfaces.since import begun
from tacit.interfaces.stopping import stoppable


def main() -> None:
    """Run the command; status 2 for a bad request, 3 for a refusal, with one line on stderr.

    An interrupt ends it with one line too, also while it is still being loaded.
    """
    try:
        with begun(), stoppable():
            import_module("tacit.interfaces.application").app()
    except TacitError as error:
        sys.stderr.write(f"tacit: {error}\n")
        sys.exit(3 if isinstance(error, Refused) else 2)
