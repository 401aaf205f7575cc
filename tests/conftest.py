"""One profile for property tests: no deadlines, since speed is measured in benchmarks/.

In CI the examples are the same each time; elsewhere every run tries others.

Bytecode is kept, also where the environment forbids it: else each worker compiles all tests, and
each command that a test starts compiles the whole package.
"""

import os
import sys

from hypothesis import settings

settings.register_profile(
    "tacit", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("tacit")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
