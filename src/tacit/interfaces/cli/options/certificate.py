"""The option of verbs that prove something: a file by which another program can check it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.core.errors import InvalidArgument
from tacit.interfaces.output.files import whole
from tacit.workflows.releasing import check_certificate

CertificatePath = Annotated[
    Path | None,
    typer.Option(help="Write what is proved for check_certificate.py, which knows no tacit."),
]


def write_certificate(path: Path, told: dict[str, Any]) -> None:
    """Write a certificate that its checker believes."""
    text = json.dumps(told) + "\n"
    try:
        check_certificate.check(text)
    except ValueError as error:
        raise InvalidArgument(f"--certificate: the checker would refuse it: {error}") from None
    with whole(path) as file:
        file.write(text)
