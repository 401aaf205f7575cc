"""The report of a model: one file that can be shown to anyone, as a web page or as Markdown."""

from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.writing import reportable, write_report

__all__ = ["Asked", "reportable", "write_report"]
