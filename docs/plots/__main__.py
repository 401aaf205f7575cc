"""Draw all pictures: python -m docs.plots FOLDER."""

import sys
from pathlib import Path

from docs.plots.labels import draw_labels
from docs.plots.learners import draw_all

folder = Path(sys.argv[1])
draw_all(folder)
draw_labels(folder)
