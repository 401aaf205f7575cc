"""Where a report goes, and in which form."""

from __future__ import annotations

from os.path import realpath
from pathlib import Path

from tacit.core.errors import InvalidArgument
from tacit.interfaces.output.files import whole
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.content import certificate, sections
from tacit.interfaces.report.html import page
from tacit.interfaces.report.markdown import document
from tacit.learners.contract.model import Model

PAGES, DOCUMENTS = (".html", ".htm"), (".md", ".markdown")


def reportable(path: Path, model: Path) -> Path:
    """Refuse a report in no known form, or in place of the model, before anything is computed."""
    if realpath(path) == realpath(model):
        raise InvalidArgument(f"--report: {path} is where the model goes; name another file")
    if path.suffix.lower() not in (*PAGES, *DOCUMENTS):
        raise InvalidArgument(
            f"--report: {path} must end in .html for a page, which a browser prints to PDF on a "
            "few sheets of A4, or in .md for Markdown"
        )
    return path


def write_report(path: Path, model: Model, asked: Asked) -> None:
    """Write the report of a model."""
    title = f"Private rules for {', '.join(model.labels)}"
    kept = "differentially private" if model.secure else "NOT private, since the coins were seeded"
    about = "about " if model.unit.added else ""
    lead = f"Learned from {about}{model.n} {model.unit.many} by tacit {model.version}; {kept}."
    if path.suffix.lower() in PAGES:
        written = page(title, lead, sections(model, asked))
    else:
        written = document(title, lead, certificate(model, asked))
    with whole(path) as file:
        file.write(written)
