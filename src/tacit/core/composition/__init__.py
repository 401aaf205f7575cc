"""Composition: what a tree of costs comes to, and what its parts may cost."""

from typing import TYPE_CHECKING

from tacit.core.on_demand import on_demand

if TYPE_CHECKING:
    from tacit.core.composition.calibration import calibrate
    from tacit.core.composition.interpreters.concentrated import delta_of_rho
    from tacit.core.composition.pricing import INTERPRETERS, Price, price
    from tacit.core.composition.worlds import RepeatedLeaf

__all__ = ["INTERPRETERS", "Price", "RepeatedLeaf", "calibrate", "delta_of_rho", "price"]

__getattr__ = on_demand(__name__)
