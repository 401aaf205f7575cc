"""The same audits for diffprivlib and for ours: `python -m benchmarks audits`.

Three attacks. *Canaries* (`tacit.verify.one_run`): a model is trained once with 500
rows that contradict all others, each in by a fair coin, and the coins are guessed from the model.
For logistic models every canary has a direction of its own; for trees and thresholds they lie on a
line. *A silent nan*: epsilon = nan is not refused by diffprivlib's logistic regression, which then
trains without noise. *Floats*: its Laplace mechanism claims epsilon = 1, and which doubles can come
out tells 0 from 1 (`tacit.verify.black_box`); our noise is of integers.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.peers import environment
from tacit.core.chance.randomness import Random, System
from tacit.core.cost import Pure
from tacit.core.errors import TacitError
from tacit.core.privacy import Privacy
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.black_box import BlackBox, audit
from tacit.verify.one_run import CanaryLearner, Rows, on_a_line, one_run

PROGRAM = Path(__file__).with_name("diffprivlib_audits.py")
CANARIES, GUESSES = 500, 400
DRAWS = 20_000
CLAIM = Privacy(1, 0)


@dataclass(frozen=True, slots=True)
class Audited:
    """What was audited, its claim, what was seen, the epsilon refuted, and whether it must be."""

    name: str
    claim: str
    seen: str
    epsilon: float
    private: bool

    @property
    def holds(self) -> bool:
        """Whether a broken claim was refuted and a kept one was not."""
        return (self.epsilon <= 1) == self.private


@dataclass(slots=True)
class PeerModel:
    """A model of the peers' environment, trained and asked in one go when it must answer."""

    model: str
    epsilon: str | None
    classes_: tuple[int, int] = (0, 1)
    rows: dict[str, Any] = field(default_factory=dict)

    def fit(self, points: Any, labels: Any, /) -> PeerModel:
        """Keep the rows."""
        self.rows = {"m/x": points, "m/y": labels}
        return self

    def predict(self, points: Any, /) -> Any:
        """Predict labels."""
        return self.predict_proba(points)[:, 1] > 0.5

    def predict_proba(self, points: Any, /) -> Any:
        """Train and answer."""
        job = {"name": "m", "model": self.model, "epsilon": self.epsilon}
        ones = _ask({**self.rows, "m/tested": points}, [job])["m"]
        return np.column_stack((1 - ones, ones))


def measure() -> list[Audited]:
    """Run every audit."""
    rng = System()
    line, corners = on_a_line(CANARIES), _corners(CANARIES)
    return [
        _canaries("scikit-learn tree", "none", partial(PeerModel, "tree", None), line, rng),
        _canaries("diffprivlib tree", "ε = 1", partial(PeerModel, "tree", "1"), line, rng),
        _canaries(
            "our threshold", "ε = 1", partial(CanaryLearner, "generic", CLAIM, rng), line, rng
        ),
        _canaries(
            "diffprivlib logistic", "ε = 1", partial(PeerModel, "logistic", "1"), corners, rng
        ),
        silent_nan(rng),
        refusal(),
        *noise(rng),
    ]


def report() -> int:
    """Print the table; the exit status says whether every audit ended as it must."""
    rows = measure()
    table = Table("audited", "claim", "seen", "so ε is at least", "", box=None)
    for row in rows:
        said = "private" if row.private else "not private"
        table.add_row(
            row.name, row.claim, row.seen, f"{row.epsilon:.2f}", said if row.holds else "MISSED"
        )
    Console(width=140).print(table)
    return 0 if all(row.holds for row in rows) else 1


def _corners(count: int) -> tuple[Rows, Rows, Rows]:
    """Return rows at 0 labelled 0, canaries in directions of their own labelled 1, replacements."""
    nothing = Rows(np.zeros((count, count)), np.zeros(count, dtype=np.int64))
    return nothing, Rows(np.eye(count), np.ones(count, dtype=np.int64)), nothing


def _canaries(
    name: str,
    claim: str,
    make: Callable[[], Any],
    rows: tuple[Rows, Rows, Rows],
    rng: Random,
) -> Audited:
    always, odd, instead = rows
    found = one_run(make, always=always, canaries=odd, instead=instead, guesses=GUESSES, rng=rng)
    seen = f"{found.right} of {found.guessed} canaries guessed"
    return Audited(name, claim, seen, found.epsilon_at_least(), claim == "ε = 1")


def silent_nan(rng: Random) -> Audited:
    """Audit diffprivlib's logistic regression with epsilon = nan, which it fits without a word."""
    make = partial(PeerModel, "logistic", "nan")
    return _canaries("diffprivlib logistic", "ε = nan", make, _corners(CANARIES), rng)


def refusal() -> Audited:
    """Ask ours for epsilon = nan."""
    try:
        Privacy(float("nan"), 0)
    except TacitError as error:
        return Audited("ours", "ε = nan", f"refused: {error}", 0.0, private=True)
    return Audited("ours", "ε = nan", "accepted", np.inf, private=True)


def noise(rng: Random) -> Iterator[Audited]:
    """Audit diffprivlib's Laplace mechanism by the doubles that come out, and ours likewise."""
    jobs = [{"name": str(value), "value": value, "draws": DRAWS} for value in (0, 1)]
    drawn = _ask({}, jobs)
    stored = {value: iter(drawn[str(value)].tolist()) for value in (0, 1)}
    ours = DiscreteLaplace(1)
    runs: dict[str, tuple[Callable[[int, Random], Any], bool]] = {
        "diffprivlib Laplace": (lambda value, _: next(stored[value]), False),
        "our discrete Laplace": (lambda value, rng: float(ours(value, rng=rng)), True),
    }
    for name, (run, private) in runs.items():
        box = BlackBox(name, "0 and 1", "mechanism", Pure(1), 0, 1, run)
        found = audit(box, trials=DRAWS, rng=rng)
        yield Audited(name, "ε = 1", f"{DRAWS} draws around 0 and 1", found.epsilon, private)


def _ask(arrays: dict[str, Any], jobs: list[dict[str, Any]]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        asked, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "done.npz"))
        np.savez(asked, **arrays)
        todo.write_text(json.dumps(jobs))
        subprocess.run([environment.python(), PROGRAM, asked, todo, done], check=True)
        return dict(np.load(done))
