"""What all pictures share: their formats, their ink, and how a file of one is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidArgument, MissingExtra

FORMATS = ("png", "svg", "pdf")
INK = "#1b2a41"


def drawable(path: Path) -> Path:
    """Refuse a picture that could not be drawn, before anything is computed."""
    if path.suffix.lower().removeprefix(".") not in FORMATS:
        raise InvalidArgument(f"--plot: {path} must end in .{', .'.join(FORMATS)}")
    _figures()
    return path


@contextmanager
def picture(path: Path, width: float, height: float) -> Iterator[Any]:
    """Give a figure of so many inches to draw on, and then write its file."""
    figure = _figures().Figure(figsize=(width, height), layout="constrained")
    yield figure
    try:
        figure.savefig(path, format=path.suffix.lower().removeprefix("."))
    except OSError as error:
        raise InvalidArgument(f"--plot: {path} could not be written: {error.strerror}") from None


def _figures() -> Any:
    try:
        return import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtra(package="matplotlib", extra="plot") from None
