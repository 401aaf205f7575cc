"""Mechanisms that are wrong on purpose: an audit that misses one of them fails the build.

Each is a mistake that was printed in a paper, shipped in a library, or is made in practice.
"""

from tacit.evaluation.broken import noise, pipelines, selection, stability

CASES = (*selection.CASES, *stability.CASES, *noise.CASES, *pipelines.CASES)

__all__ = ["CASES", "noise", "pipelines", "selection", "stability"]
