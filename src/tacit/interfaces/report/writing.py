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
from tacit.interfaces.report.paper import check_engine, paper
from tacit.learners.contract.model import Model
from tacit.workflows.predicting import outcomes_of

PAGES, DOCUMENTS, PAPER = (".html", ".htm"), (".md", ".markdown"), ".pdf"


def reportable(path: Path, model: Path, *, option: str = "--report") -> Path:
    """Refuse a report in no known form, or in place of the model, before anything is computed."""
    if realpath(path) == realpath(model):
        raise InvalidArgument(f"{option}: {path} is where the model goes; name another file")
    if path.suffix.lower() == PAPER:
        check_engine()
    elif path.suffix.lower() not in (*PAGES, *DOCUMENTS):
        raise InvalidArgument(
            f"{option}: {path} must end in .html for a page, in .pdf for a few sheets of A4, or "
            "in .md for Markdown"
        )
    return path


def write_report(path: Path, model: Model, asked: Asked) -> None:
    """Write the report of a model."""
    title = f"Private rules for {', '.join(each.name for each in outcomes_of(model))}"
    kept = "differentially private" if model.secure else "NOT private, since the coins were seeded"
    about = "about " if model.unit.added else ""
    lead = f"Learned from {about}{model.n} {model.unit.many} by tacit {model.version}; {kept}."
    if path.suffix.lower() in DOCUMENTS:
        written = document(title, lead, certificate(model, asked)).encode()
    else:
        told = page(title, lead, sections(model, asked))
        written = paper(told) if path.suffix.lower() == PAPER else told.encode()
    with whole(path) as file:
        file.buffer.write(written)
