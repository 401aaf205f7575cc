"""Attacks: what an accurate release without privacy tells about its rows."""

from tacit.verify.attack.experiment import Tracing, allowed, attack
from tacit.verify.attack.named import Constant, EmpiricalRisk
from tacit.verify.attack.setting import Setting, one_point, parities, thresholds

__all__ = [
    "Constant",
    "EmpiricalRisk",
    "Setting",
    "Tracing",
    "allowed",
    "attack",
    "one_point",
    "parities",
    "thresholds",
]
