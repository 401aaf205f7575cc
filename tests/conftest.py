"""One profile for property tests: no deadlines, since speed is measured in benchmarks/.

In CI the examples are the same each time; elsewhere every run tries others.

Bytecode is kept, also where the environment forbids it: else each worker compiles all tests, and
each command that a test starts compiles the whole package.

What is alive when all tests are collected stays alive: it is never searched for garbage again, and
what comes after seldom.

Nothing waits for ever: pytest lets its alarm go where a test has failed, so that what is cleaned up
after it has another.
"""

import faulthandler
import gc
import os
import sys

import pytest
from hypothesis import settings

settings.register_profile(
    "tacit", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("tacit")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection() -> None:
    """Thousands of tests are garbage of nobody, and each search among them takes seconds."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_sessionfinish() -> None:
    """At the end all may go: else libraries complain of what is left."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Give what comes after a test as long as the test, and then end the worker.

    A test may have put another stream in the place of stderr, which is no file.
    """
    faulthandler.dump_traceback_later(600, exit=True, file=sys.__stderr__)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish() -> None:
    """All is cleaned up."""
    faulthandler.cancel_dump_traceback_later()
