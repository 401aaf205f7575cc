"""Made-up rows are charged like rules: before anything is drawn, and refused with three."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tacit.core.chance.randomness import Seeded, System
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Integer, Schema
from tacit.data.ledger import Cap, Ledger, Spent, verify_ledger
from tacit.workflows import sanitize
from tests.interfaces.cli.test_command import call

SCHEMA = Schema({"age": Integer(0, 99), "sick": Bits()})
PEOPLE = {"age": list(range(20, 100)) * 5, "sick": [int(a >= 65) for a in range(20, 100)] * 5}
NAMED = ("--dataset", "patients")
MAKE = ["sanitize", "p.csv", "--schema", "s.toml", "--columns", "age", "--epsilon", "1"]
OUT = ("--out", "made.csv")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(*PEOPLE.values(), strict=True)
    Path("p.csv").write_text("age,sick\n" + "".join(f"{a},{s}\n" for a, s in rows))
    Path("s.toml").write_text(SCHEMA.dump())
    Ledger.create(Path("b.db")).grant("patients", SCHEMA, Cap("1.5"))
    return tmp_path


def _spent() -> Spent:
    verify_ledger(Ledger(Path("b.db")))
    return Ledger(Path("b.db")).datasets()[0].account.total


def test_rows_are_charged_and_refused_with_three(folder: Path) -> None:
    done = call(*MAKE, *OUT, "--ledger", "b.db", *NAMED, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["secure"] is True
    assert _spent().epsilon == 1
    first = Path("made.csv").read_text()
    refused = call(*MAKE, *OUT, "--ledger", "b.db", *NAMED)
    assert refused.returncode == 3
    assert "of which ε = 1, δ = 0 is spent; this release would cost ε = 1" in refused.stderr
    assert Path("made.csv").read_text() == first
    (people,) = Ledger(Path("b.db")).datasets()
    assert people.pending == 0
    events = [event.body for event in Ledger(Path("b.db")).events()]
    assert events[-2]["purpose"] == "synthetic rows of age for thresholds"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([*MAKE, *OUT, "--ledger", "b.db"], 2, "--ledger needs --dataset"),
        ([*MAKE, *OUT, *NAMED], 2, "give --ledger"),
        ([*MAKE, *OUT, "--analyst", "ada"], 2, "give --ledger"),
        ([*MAKE, *OUT, "--ledger", "none.db", *NAMED], 2, "there is no ledger none.db"),
        ([*MAKE, *OUT, "--ledger", "p.csv", *NAMED], 2, "not a ledger"),
        ([*MAKE, *OUT, "--ledger", "b.db", *NAMED, "--seed", "1"], 2, "NOT private"),
        ([*MAKE, "--out", "b.csv", "--ledger", "b.csv", *NAMED], 2, "b.csv is an input"),
        ([*MAKE, *OUT, "--ledger", "b.db", "--dataset", "doctors"], 3, "granted no budget"),
        ([*MAKE, *OUT, "--ledger", "b.db", *NAMED, "--method", "magic"], 2, "magic"),
        ([*MAKE, *OUT, "--ledger", "b.db", *NAMED, "--rows", "0"], 2, "rows must be at least 1"),
    ],
)
def test_a_bad_request_spends_and_writes_nothing(
    folder: Path, arguments: list[str], status: int, words: str
) -> None:
    Path("b.csv").write_bytes(Path("b.db").read_bytes())
    done = call(*arguments)
    assert done.returncode == status
    assert words in " ".join(done.stderr.split())
    assert not Path("made.csv").exists()
    assert Path("b.csv").read_bytes() == Path("b.db").read_bytes()
    assert _spent() == Spent()


def test_nothing_is_drawn_when_the_ledger_refuses(folder: Path) -> None:
    class Untouched(System):
        def _take(self, size: int) -> bytes:
            raise AssertionError("a coin was drawn")

        def words(self, count: int, /) -> Any:
            raise AssertionError("a coin was drawn")

    with (
        pytest.raises(Refused, match="would cost ε = 3"),
        Ledger(Path("b.db")).charging("patients", SCHEMA) as charge,
    ):
        sanitize(PEOPLE, SCHEMA, columns=["age"], epsilon=3, rng=Untouched(), charge=charge)
    assert _spent() == Spent()


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_what_is_charged_is_what_is_told(delta: str) -> None:
    told: list[tuple[Cost, Fraction]] = []
    made = sanitize(
        PEOPLE, SCHEMA, columns=["age", "sick"], epsilon="0.7", delta=delta, rng=Seeded(1),
        charge=lambda cost, delta, *_: told.append((cost, delta)),
    )  # fmt: skip
    ((cost, allowed),) = told
    assert cost == made.cost
    assert price(cost, allowed).privacy == made.privacy
    assert made.privacy.epsilon <= Fraction(7, 10)


def test_a_table_without_rows_costs_nothing(folder: Path) -> None:
    with (
        pytest.raises(InvalidArgument, match="no rows"),
        Ledger(Path("b.db")).charging("patients", SCHEMA) as charge,
    ):
        sanitize({"age": []}, SCHEMA, columns=["age"], epsilon=1, rng=Seeded(1), charge=charge)
    assert _spent() == Spent()
