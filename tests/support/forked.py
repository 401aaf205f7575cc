"""`tacit` in a process of its own for each command, begun where everything is imported already.

A server imports all verbs once and forks itself for each command. It has no thread besides those
that number libraries know to fork with. How a command starts from nothing is tested elsewhere.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from subprocess import PIPE, Popen

from tacit.interfaces.cli.command import main
from tacit.interfaces.cli.verbs import VERBS, load
from tacit.kernels.reading.csv_cells import cut
from tests.support.processes import started

LOADED = ("tacit.interfaces.cli.application", "duckdb", "scipy.optimize", "typer._adapters")


@dataclass(frozen=True)
class Forked:
    """A server that runs the command."""

    server: Popen[str]

    def __call__(self, words: Sequence[str], folder: Path) -> tuple[int, str]:
        """Run `tacit` with these words in a folder; return its status and all it printed."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        with tempfile.NamedTemporaryFile() as out:
            self.server.stdin.write(json.dumps([out.name, str(folder), *words]) + "\n")
            self.server.stdin.flush()
            return int(self.server.stdout.readline()), Path(out.name).read_text()


@contextmanager
def forked(environment: Mapping[str, str]) -> Iterator[Forked]:
    """Start a server whose commands have this environment."""
    command = [sys.executable, "-m", "tests.support.forked"]
    with started(command, env=environment, stdin=PIPE, stdout=PIPE) as server:
        yield Forked(server)


def _serve() -> None:
    """Run the commands that are asked for, one after the other."""
    for module in LOADED:
        import_module(module)
    for verb in VERBS:
        load(verb)
    cut(b"1\n", ",", 1, [0])  # loads what kernels are run by
    gc.freeze()
    for line in sys.stdin:
        out, folder, *words = json.loads(line)
        child = os.fork()
        if not child:
            return _run(out, folder, words)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(1, f"{status}\n".encode())
    os._exit(0)


def _run(out: str, folder: str, words: Sequence[str]) -> None:
    """Be the command."""
    os.chdir(folder)
    for stream, path in enumerate((os.devnull, out, out)):
        os.dup2(os.open(path, os.O_RDWR | os.O_APPEND), stream)
    sys.argv = ["tacit", *words]
    sys.modules["__main__"].__package__ = None
    main()


if __name__ == "__main__":
    _serve()
