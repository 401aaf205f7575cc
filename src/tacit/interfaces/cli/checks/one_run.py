"""`tacit audit --one-run`: train once with canaries, and bound epsilon from what can be guessed."""

from __future__ import annotations

import json
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape

from tacit.core.chance.randomness import System
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import CATALOGUE
from tacit.verify.one_run import audit_on_a_line

LEVEL = "1/1000"
MOST = 100_000


def audit_in_one_run(target: str, claim: Privacy, *, canaries: int, as_json: bool) -> None:
    """Audit a learner or an estimator, and show what was found."""
    if not 10 <= canaries <= MOST:
        raise InvalidArgument(f"--canaries must lie between 10 and {MOST}, got {canaries}")
    found = audit_on_a_line(target, claim, canaries=canaries, rng=System())
    least = found.epsilon_at_least(delta=claim.delta, level=LEVEL)
    refuted = least >= claim.epsilon and found.chance(claim.epsilon, claim.delta) <= 1e-3
    said: dict[str, Any] = {
        "target": target,
        "kind": "learner" if target in CATALOGUE else "estimator",
        "claimed": {
            "notion": "approximate" if claim.delta else "pure",
            "epsilon": float(claim.epsilon),
            "delta": float(claim.delta),
        },
        "method": "statistical",
        "found": {"epsilon": least, "delta": float(claim.delta)},
        "pairs": 1,
        "verdict": "refuted" if refuted else "not refuted",
        "canaries": found.canaries,
        "guessed": found.guessed,
        "right": found.right,
    }
    if as_json:
        typer.echo(json.dumps(said))
        return
    Console(highlight=False, emoji=False).print(
        f"{escape(target)}: {found.right} of {found.guessed} guesses about canaries "
        f"are right, so ε is at least {least:.3f} (wrong with probability ≤ 0.001). "
        f"The claim ε = {float(claim.epsilon):g}, δ = {float(claim.delta):g} is "
        f"[{'bold red' if refuted else 'green'}]{said['verdict']}[/]."
    )
