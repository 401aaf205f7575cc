"""Every learner of the catalogue has a page, and a picture that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.plots.learners import SHARED, learner_for, shown_on

from tacit.learners.catalogue import CATALOGUE

PAGES = Path(__file__).parents[2] / "docs" / "learners"


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_learner_has_a_page_and_a_curve(name: str) -> None:
    """As many rows as the picture has at most must be rows that the learner can take."""
    file = name.replace("-", "_")
    assert (PAGES / f"{SHARED.get(file, file)}.md").is_file()
    shown = shown_on(name)
    assert learner_for(name, shown, max(shown.rows)) is not None
