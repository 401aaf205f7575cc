"""One profile for property tests: no deadlines, since speed is measured in benchmarks/.

In CI the examples are the same each time; elsewhere every run tries others.
"""

import os

from hypothesis import settings

settings.register_profile(
    "tacit", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("tacit")
