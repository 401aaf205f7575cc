"""Attacks: what an accurate release without privacy tells about its rows."""

from tacit.evaluation.attack.experiment import Outcome, allowed, attack
from tacit.evaluation.attack.openly import Constant, EmpiricalRisk
from tacit.evaluation.attack.setting import Setting, one_point, parities, thresholds
from tacit.evaluation.attack.trials import Tally, tally, worst_of

__all__ = [
    "Constant",
    "EmpiricalRisk",
    "Outcome",
    "Setting",
    "Tally",
    "allowed",
    "attack",
    "one_point",
    "parities",
    "tally",
    "thresholds",
    "worst_of",
]
