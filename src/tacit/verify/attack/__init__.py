"""Attacks: what an accurate release without privacy tells about its rows."""

from tacit.verify.attack.experiment import Tracing, allowed, attack
from tacit.verify.attack.openly import Constant, EmpiricalRisk
from tacit.verify.attack.setting import Setting, one_point, parities, thresholds
from tacit.verify.attack.trials import TracingTally, tally, worst_of

__all__ = [
    "Constant",
    "EmpiricalRisk",
    "Setting",
    "Tracing",
    "TracingTally",
    "allowed",
    "attack",
    "one_point",
    "parities",
    "tally",
    "thresholds",
    "worst_of",
]
