"""The Attack page: one learner without privacy and one with, fingerprinted side by side."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.chance.randomness import System
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.interfaces.page.serving.fields import Fields
from tacit.theory.codes import BonehShaw, Code, SymmetricTardos
from tacit.verify.attack import Tracing, allowed, attack, one_point, thresholds
from tacit.verify.attack.named import learner

Tell = Callable[[str], None]
CODES = ("boneh-shaw", "tardos")
LEARNERS = ("generic", "constant")
SOUNDNESS = Fraction(1, 1000)
OPENLY = "erm"
STEPS = 2
LEAST, MOST = Fraction(1, 100), Fraction(100)


def attacked(asked: Fields, tell: Tell) -> dict[str, Any]:
    """Attack both, and return their accusation scores."""
    users = asked.whole("users", 3, 20)
    runs = asked.whole("runs", 2, 60)
    named = asked.choice("code", CODES)
    code = _code(named, users)
    setting = thresholds(users) if isinstance(code, BonehShaw) else one_point(users)
    privately = asked.choice("learner", LEARNERS)
    epsilon = asked.number("epsilon")
    if not LEAST <= Fraction(epsilon) <= MOST:
        raise InvalidArgument("epsilon must lie between 0.01 and 100")
    budget = Privacy(epsilon, Fraction(1, users**2))
    panels = []
    for place, name in enumerate((OPENLY, privately)):
        tell(f"{place}/{STEPS} attacking {name}, {runs} times")
        made = learner(name, setting, labels=code.columns, privacy=budget, rows=users)
        outcome = attack(code, setting, made, runs=runs, rng=System())
        claim = {OPENLY: None, "constant": Privacy(0, 0)}.get(name, budget)
        panels.append(_panel(name, outcome, claim))
    return {
        "users": users,
        "labels": code.columns,
        "code": code.name,
        "setting": setting.name,
        "soundness": float(code.soundness),
        "runs": runs,
        "command": (
            f"tacit attack --users {users} --code {named} --learner {privately} "
            f"--epsilon {epsilon} --soundness {float(SOUNDNESS):g} --runs {runs}"
        ),
        "panels": panels,
    }


def _code(name: str, users: int) -> Code:
    make = BonehShaw if name == "boneh-shaw" else SymmetricTardos
    return make(users, soundness=SOUNDNESS)


def _panel(name: str, outcome: Tracing, claim: Privacy | None) -> dict[str, Any]:
    return {
        "learner": name,
        "private": claim is not None,
        "epsilon": None if claim is None else float(claim.epsilon),
        "delta": None if claim is None else float(claim.delta),
        "scores": [round(float(score), 3) for score in outcome.inside.scores],
        "left_out": [round(float(score), 3) for score in outcome.left_out],
        "bar": round(float(outcome.inside.bar), 3),
        "traced": outcome.traced,
        "runs": outcome.runs,
        "accusations": outcome.accused.tolist(),
        "innocent_accused": outcome.innocent_accused,
        "reproduced": outcome.marked_right,
        "allowed": None if claim is None else allowed(claim, outcome.soundness),
        "within": None if claim is None else outcome.within(claim),
        "epsilon_at_least": outcome.epsilon_found(0.0 if claim is None else float(claim.delta)),
    }
