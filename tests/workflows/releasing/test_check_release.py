"""The checker knows no tacit, proves what tacit claims, and believes nothing that was changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tacit.core.composition import price
from tacit.core.composition.proof import prove
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument
from tacit.core.unit import Unit
from tacit.data import Bits, Category, Integer, Schema
from tacit.data.ledger import Cap, Ledger
from tacit.workflows import learn
from tacit.workflows.releasing import check_release
from tacit.workflows.releasing.pack import packed, read_key
from tacit.workflows.releasing.record import model_record
from tests.support import packs
from tests.support.random_costs import DELTAS, random_cost

SOURCE = Path(check_release.__file__)
CLOSE = Fraction(1, 10**9)
ALIKE = 6
"""How often each kind of change is tried here; benchmarks/packs.py tries a thousand."""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> packs.Packed:
    return packs.make(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> packs.Packed:
    return packs.make(tmp_path_factory.mktemp("other"), "thresholds")


def test_it_is_one_file_of_plain_python() -> None:
    text = SOURCE.read_text()
    assert len(text.splitlines()) <= 300
    assert "import tacit" not in text
    assert "from tacit" not in text


def test_a_true_pack_is_believed_by_python_alone(pack: packs.Packed, tmp_path: Path) -> None:
    (tmp_path / "release.zip").write_bytes(pack.raw)
    (tmp_path / "house.pub").write_text(f"tacit-key-1 public {pack.key.hex()}\n")
    (tmp_path / "check_release.py").write_bytes(packs.members(pack.raw)["check_release.py"])
    words = [sys.executable, "-I", "check_release.py", "release.zip", "--key", "house.pub"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("BELIEVED\n")
    (tmp_path / "house.pub").write_text("tacit-key-1 public " + "00" * 32)
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("REFUSED")


def test_the_record_has_what_its_schema_asks_for(pack: packs.Packed) -> None:
    record = json.loads(pack.parts["record.json"])
    schema = json.loads(pack.parts["record.schema.json"])
    assert set(schema["required"]) <= record.keys() <= schema["properties"].keys()
    for name in ("privacy", "ledger"):
        told = schema["properties"][name]
        assert set(told["required"]) <= record[name].keys()
    assert (
        record["privacy"]["proof"]["theorem"]
        in (schema["properties"]["privacy"]["properties"]["proof"]["properties"]["theorem"]["enum"])
    )
    pages = [Path(page).stem for page in record["proofs"]]
    assert pages == ["composition", "measurement", "selection_bound"]


def test_the_same_parts_give_the_same_bytes(pack: packs.Packed) -> None:
    assert pack.raw == pack.raw


@pytest.mark.parametrize("learner", ["generic", "margin"])
def test_rules_and_scorecards_are_evaluated(tmp_path: Path, learner: str) -> None:
    made = packs.make(tmp_path, "scorecards" if learner == "margin" else "rules", learner)
    said = check_release.check(made.raw, made.key)
    assert said[-1].endswith("not evaluated: none")


def test_what_was_changed_is_refused(pack: packs.Packed, other: packs.Packed) -> None:
    changes = packs.tampered(pack, other, Random(5))
    for _ in range(11 * ALIKE):
        said, raw = next(changes)
        assert _refused(raw, pack.key), said


def _refused(raw: bytes, key: bytes) -> bool:
    """Whether the program ends with REFUSED: on whatever error."""
    try:
        check_release.check(raw, key)
    except Exception:
        return True
    return False


def _claims(**privacy: Any) -> Callable[[dict[str, Any]], None]:
    return lambda record: record["privacy"].update(privacy)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_claims(epsilon="1/2"), "is claimed"),
        (_claims(neighbours="added"), "neighbours"),
        (_claims(unit={"person": ["age"]}), "unit"),
        (_claims(epsilon="2"), r"\[release\] epsilon"),
        (_claims(delta="1/1000"), "charge"),
        (lambda record: record.update(approved=["eve"]), "approval"),
        (lambda record: record.update(labels=["sick"]), "differ"),
        (lambda record: record.update(secure=False), "differ"),
        (lambda record: record.update(ledger=None), "needs a ledger"),
        (lambda record: record["ledger"].update(number=1), "ledger"),
        (lambda record: record.update(cost={"pure": {"epsilon": "1/9"}}), "differ"),
    ],
)
def test_a_record_that_the_house_signed_wrongly_is_refused(
    pack: packs.Packed, change: Callable[[dict[str, Any]], None], why: str
) -> None:
    record = json.loads(pack.parts["record.json"])
    change(record)
    raw = packed(pack.parts | {"record.json": json.dumps(record).encode()}, read_key(pack.private))
    with pytest.raises(ValueError, match=why):
        check_release.check(raw, pack.key)


def _rewritten(pack: packs.Packed, **more: Any) -> bytes:
    """Return a pack whose house signed another charge, in a chain that is whole."""
    record, before, lines = json.loads(pack.parts["record.json"]), "0" * 64, []
    for text in pack.parts["ledger.jsonl"].splitlines():
        event = json.loads(text)
        if mine := event["number"] == record["ledger"]["number"]:
            event["event"] |= more
        said = json.dumps(event["event"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        event["hash"] = before = sha256(f"{before}\n{said}".encode()).hexdigest()
        record["ledger"] |= {"hash": before} if mine else {}
        lines.append(json.dumps(event) + "\n")
    record["ledger"]["head"] = before
    texts = {"record.json": json.dumps(record), "ledger.jsonl": "".join(lines)}
    parts = pack.parts | {name: text.encode() for name, text in texts.items()}
    return packed(parts, read_key(pack.private))


def test_a_charge_of_another_unit_is_refused(pack: packs.Packed) -> None:
    check_release.check(_rewritten(pack), pack.key)
    with pytest.raises(ValueError, match="another charge"):
        check_release.check(_rewritten(pack, unit={"person": ["who"]}), pack.key)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"request": 0}, "no request of its own"),
        ({"request": 1}, "dataset"),
        ({"request": 3}, "another question"),
        ({"analyst": "eve"}, "another question"),
        ({"epsilon": "2"}, "another question"),
        ({"time": "9999-12-32"}, "too few of these persons"),
    ],
)
def test_a_charge_that_nobody_approved_is_refused(
    pack: packs.Packed, more: dict[str, Any], why: str
) -> None:
    with pytest.raises((ValueError, KeyError), match=why):
        check_release.check(_rewritten(pack, **more), pack.key)


def test_rows_and_persons_are_not_added_up_and_all_rows_are_no_groups(pack: packs.Packed) -> None:
    record, policy = json.loads(pack.parts["record.json"]), {"format": "tacit-policy-1"}
    record["approved"] = []  # this policy asks for nobody
    row: dict[str, Any] = {"dataset": "d", "time": "2026", "epsilon": "1", "delta": "0", "cost": {}}
    row["kind"] = "reserve"
    persons = row | {"unit": {"person": ["who"]}}
    for other in (row, persons):
        house, lines = policy | {"person": {"epsilon": "2"}}, [{"event": row}, {"event": other}]
        if other is row:
            check_release.check_policy(house, record, row, lines)
        else:
            with pytest.raises(ValueError, match="two kinds"):
                check_release.check_policy(house, record, row, lines)
    asked = policy | {"measured": {"groups": True}}
    for many in (2, 1, 0):
        record["groups"] = {"sick": [{}] * many} if many else None
        if many > 1:
            check_release.check_policy(dict(asked), record, {}, [])
        else:
            with pytest.raises(ValueError, match="measured"):
                check_release.check_policy(dict(asked), record, {}, [])


SMALL = Schema({"age": Integer(0, 9), "ill": Bits(), "kind": Category(["a", "b", "c"])})


@pytest.mark.parametrize(
    ("label", "unit", "concepts"),
    [
        ("kind", Unit(), "auto"),
        ("ill", Unit((), "added"), "auto"),
        ("ill", Unit(["who"]), "thresholds"),
    ],
)
def test_the_charge_of_a_model_is_found(
    tmp_path: Path, label: str, unit: Unit, concepts: str
) -> None:
    rows: Any = {"who": range(60), "age": [i % 10 for i in range(60)]}
    rows |= {"ill": [i % 10 > 4 for i in range(60)], "kind": ["abc"[i % 3] for i in range(60)]}
    ledger = Ledger.create(tmp_path / "l.db")
    ledger.grant("clinic", SMALL, Cap(4), unit=unit)
    with ledger.charging("clinic", SMALL) as charge:
        asked: Any = {"concepts": concepts, "features": ["age"], "labels": [label], "epsilon": 1}
        asked |= {"person": unit.person, "neighbours": unit.neighbours}
        model = learn(
            {name: list(held) for name, held in rows.items()}, SMALL, **asked, charge=charge
        )
    record = model_record(model, model.dumps(), events=ledger.events())
    assert record["ledger"]["number"] == 4
    with pytest.raises(InvalidArgument, match="unit"):
        model_record(replace(model, unit=Unit(["x"])), "", events=ledger.events())


def test_sql_that_is_not_the_rule_is_refused(pack: packs.Packed) -> None:
    wrong = pack.parts["model.sql"].replace(b"THEN 1 ELSE 0", b"THEN 0 ELSE 1", 1)
    raw = packed(pack.parts | {"model.sql": wrong}, read_key(pack.private))
    with pytest.raises(ValueError, match="is not its rule"):
        check_release.check(raw, pack.key)


def test_the_checker_proves_what_the_library_claims() -> None:
    dice, proved = Random(11), 0
    for _ in range(400):
        cost, delta = random_cost(dice, dice.randint(1, 3)), dice.choice(DELTAS)
        try:
            proof = prove(cost, delta)
        except InvalidArgument:
            continue
        claimed = proof.privacy.epsilon
        claim = {"epsilon": str(claimed), "delta": str(delta), **proof.encode()}
        try:
            shown, _ = check_release.proved(encode_cost(cost), claim)
        except ValueError as error:
            if "too many worlds" in str(error):
                continue
            raise
        proved += 1
        assert claimed <= shown <= claimed + CLOSE
        assert price(cost, delta).privacy.epsilon <= claimed * (1 + Fraction(1, 10**6))
        if claimed:
            claim["epsilon"] = str(claimed * Fraction(999, 1000))
            with pytest.raises(ValueError, match="is claimed"):
                check_release.proved(encode_cost(cost), claim)
    assert proved > 300


@pytest.mark.parametrize(
    "tree",
    [
        {"sequential": [{"added": {"pure": {"epsilon": "1"}}}, {"pure": {"epsilon": "1"}}]},
        {"pure": {"epsilon": "-1"}},
        {"pure": {"epsilon": "1", "delta": "0"}},
        {"approximate": {"epsilon": "1", "delta": "1"}},
        {"pure": {"epsilon": "1"}, "times": 2},
        {"repeat": {"pure": {"epsilon": "1"}}, "times": True, "adaptive": False},
        {"repeat": {"pure": {"epsilon": "1"}}, "times": -1, "adaptive": False},
        {"subsample": {"pure": {"epsilon": "1"}}, "drawn": 10, "rows": 9, "replacement": False},
        {"subsample": {"pure": {"epsilon": "1"}}, "drawn": 1, "rows": 9},
        {
            "subsample": {"zero_concentrated": {"rho": "1"}},
            "drawn": 1,
            "rows": 9,
            "replacement": True,
        },
        {
            "added": {
                "subsample": {"pure": {"epsilon": "1"}},
                "drawn": 1,
                "rows": 9,
                "replacement": True,
            }
        },
        {"gaussian": {"sigma_squared": "0", "sensitivity": 1}},
        {},
    ],
)
def test_what_is_no_tree_is_refused(tree: dict[str, Any]) -> None:
    claim = {"epsilon": "99", "delta": "1/2", "orders": ["2"]}
    with pytest.raises((ValueError, ArithmeticError)):
        check_release.proved(tree, claim)


def test_parts_leak_no_more_often_than_is_claimed() -> None:
    tree = {"approximate": {"epsilon": "1", "delta": "3/2000"}}
    claim: Any = {"epsilon": "1", "delta": "3/2000", "orders": []}
    assert check_release.proved(tree, claim) == (1, False)
    with pytest.raises(ValueError, match="leak more often"):
        check_release.proved(tree, claim | {"delta": "1/1000"})


def test_added_records_have_the_same_arithmetic() -> None:
    tree = {"added": {"sequential": [{"pure": {"epsilon": "1/2"}}, {"pure": {"epsilon": "1/3"}}]}}
    claim: dict[str, Any] = {"epsilon": "5/6", "delta": "0", "orders": []}
    assert check_release.proved(tree, claim) == (Fraction(5, 6), True)
