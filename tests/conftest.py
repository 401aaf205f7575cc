"""One profile for property tests: no deadlines, since speed is measured in benchmarks/."""

from hypothesis import settings

settings.register_profile("tacit", deadline=None, print_blob=True)
settings.load_profile("tacit")
