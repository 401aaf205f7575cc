"""Composition: what a tree of costs comes to, and what its parts may cost."""

from tacit.core.composition.calibration import calibrate
from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.core.composition.price import INTERPRETERS, Price, price
from tacit.core.composition.worlds import Release, worlds

__all__ = ["INTERPRETERS", "Price", "Release", "calibrate", "delta_of_rho", "price", "worlds"]
