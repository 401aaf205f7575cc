"""Packs made by hand to fool the checker, or to keep it busy: each is refused in one sentence.

All but the archives are signed by the house's own key, as by somebody who was let in.
"""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tacit.workflows.releasing import check_release
from tacit.workflows.releasing.pack import packed, read_key
from tests.support import packs

Change = Callable[[dict[str, Any]], None]
LOOP = b"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS sick FROM n"
BATCH = {"repeat": {"bounded_range": {"epsilon": "1/1000"}}, "times": 1000, "adaptive": False}

SAMPLE = {"subsample": {"pure": {"epsilon": "0"}}, "drawn": 1, "rows": 9, "replacement": False}
"""A part of it in which nothing is told is about replaced records still: m is public."""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> packs.Packed:
    return packs.make(tmp_path_factory.mktemp("pack"))


def signed(pack: packs.Packed, **parts: bytes) -> bytes:
    """Return the pack with other parts, named with _ for a dot, under the house's signature."""
    named = {name.replace("_", "."): part for name, part in parts.items()}
    return packed(pack.parts | named, read_key(pack.private))


def refused(raw: bytes, pack: packs.Packed, why: str) -> None:
    with pytest.raises(Exception, match=why):
        check_release.check(raw, pack.key)


def with_model(pack: packs.Packed, change: Change) -> bytes:
    """Return a pack of a changed model, and of a record that tells the same."""
    model, record = (json.loads(pack.parts[name]) for name in ("model.json", "record.json"))
    change(model)
    text = json.dumps(model).encode()
    record |= {name: model.get(name) for name in ("cost", "measured", "groups")}
    record["model_digest"] = sha256(text).hexdigest()
    return signed(pack, model_json=text, record_json=json.dumps(record).encode())


def claiming(pack: packs.Packed, old: bytes, new: bytes) -> bytes:
    """Return a pack whose record says something else, in the text of its JSON."""
    record = json.dumps(json.loads(pack.parts["record.json"]), sort_keys=True).encode()
    assert old in record
    return signed(pack, record_json=record.replace(old, new, 1))


def bomb(parts: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(made := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in parts.items():
            archive.writestr(name, held)
        with archive.open("ledger.jsonl", "w", force_zip64=True) as member:
            for _ in range(64):
                member.write(bytes(1 << 20))
    return made.getvalue()


def longer(raw: bytes) -> bytes:
    """Say in the list of members that one has 2 GB."""
    place = raw.index(b"PK\x01\x02")
    return raw[: place + 24] + struct.pack("<I", 1 << 31) + raw[place + 28 :]


def twice(parts: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
        for name in sorted(parts):
            archive.writestr(name, parts[name])
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("record.json", parts["record.json"].replace(b"generic", b"margin"))
    return made.getvalue()


def test_archives_that_are_no_packs(pack: packs.Packed) -> None:
    parts = packs.members(pack.raw)
    without = {name: each for name, each in parts.items() if name != "ledger.jsonl"}
    refused(bomb(without), pack, "not stored as they are")
    refused(longer(pack.raw), pack, "not stored as they are")
    refused(twice(parts), pack, "not stored as they are|not the one that follows")
    for strange in ("../../house.key", "/etc/passwd", "rec\u043erd.json", "record.json/"):
        whole = {**pack.parts, strange: b"{}"}
        refused(packed(whole, read_key(pack.private)), pack, "strange")
    confused = {name.replace("card.md", "c\u0430rd.md"): part for name, part in parts.items()}
    refused(packs.archive(confused), pack, "missing, or strange")


def test_signatures_of_something_else(pack: packs.Packed) -> None:
    parts, key = packs.members(pack.raw), read_key(pack.private)
    other = key.sign(parts["record.json"]).hex() + "\n"
    upper = parts["manifest.sig"].decode().upper()
    for signature in (other, upper, "0" * 128 + "\n", ""):
        refused(packs.archive(parts | {"manifest.sig": signature.encode()}), pack, "signature|hex")


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (b'"delta": 1e-06', "no exact number"),
        (b'"delta": Infinity', "no exact number"),
        (b'"delta": NaN', "no exact number"),
        (b'"delta": "1e-999999999"', "no exact number"),
        (b'"delta": "1/0"', "no exact number"),
        ('"delta": "\u0661/1000000"'.encode(), "no exact number"),
        (b'"delta": "-1/1000000"', "no exact number"),
        (b'"delta": "1/1000000", "delta": "1/9"', "stands twice"),
        (b'"delta": ' + b"[" * 10**5 + b"]" * 10**5, "recursion|nested"),
        (b'"delta": ' + b"9" * 10**5, "integer string|no exact number"),
    ],
)
def test_numbers_that_are_none(pack: packs.Packed, new: bytes, why: str) -> None:
    refused(claiming(pack, b'"delta": "1/1000000"', new), pack, why)


def batches(count: int) -> dict[str, Any]:
    each = [
        BATCH | {"repeat": {"bounded_range": {"epsilon": f"1/{900 + i}"}}} for i in range(count)
    ]
    return {"parallel": each}


def deep(depth: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"pure": {"epsilon": "1/9"}}
    for _ in range(depth):
        tree = {"sequential": [tree]}
    return tree


def wide(depth: int) -> dict[str, Any]:
    """Some thousand leaves, joined again at each level, in 256 worlds."""
    leaves = [{"pure": {"epsilon": f"1/{10**9 + i}"}} for i in range(2000)]
    tree: dict[str, Any] = {"sequential": [{"parallel": [deep(0), *leaves[:255]]}, *leaves]}
    for _ in range(depth):
        tree = {"sequential": [tree, leaves[0]]}
    return tree


def lengthy(count: int) -> dict[str, Any]:
    """Fractions whose sum is as long as all of them together."""
    long = [10**1900 + 2 * i + 1 for i in range(count)]
    return {"sequential": [{"pure": {"epsilon": f"1/{each}"}} for each in long]}


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (batches(200), "too long to price"),
        (wide(100), "too long to price"),
        (lengthy(30), "too long to price"),
        (SAMPLE | {"subsample": lengthy(30)}, "too long to price"),
        (deep(900), "is claimed|recursion"),
        ({"repeat": {"parallel": wide(0)["sequential"]}, "times": 10**9, "adaptive": True}, "many"),
        ({"repeat": deep(0), "times": 10**4000, "adaptive": True}, "is claimed"),
        ({"approximate": {"epsilon": "1/9", "delta": 1e-9}}, "no exact number"),
        (SAMPLE | {"subsample": {"added": {"pure": {"epsilon": "1/9"}}}}, "that are replaced"),
        ({"sequential": [SAMPLE, {"added": {"pure": {"epsilon": "1/99"}}}]}, "two kinds"),
    ],
    ids=["batches", "wide", "long", "drawn", "deep", "worlds", "often", "float", "added", "mixed"],
)
def test_costs_that_would_take_for_ever_or_are_none(
    tree: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes a minute is refused; here, what takes a second."""
    monkeypatch.setattr(check_release, "LONG", 10**5)
    claim = {"epsilon": "1/9", "delta": "1/1000", "orders": ["2"] * 9}
    if "is claimed" in why:
        claim |= {"epsilon": "1/10"}
    with pytest.raises((ValueError, RecursionError), match=why):
        check_release.proved(tree, claim)


def test_a_measurement_that_nobody_paid_for(pack: packs.Packed) -> None:
    """What `tacit measure --epsilon 1000 --out` writes, with its mark, and with the mark gone."""
    check_release.check(with_model(pack, lambda model: None), pack.key)

    def later(model: dict[str, Any]) -> None:
        model["measured_later"] = True

    def dear(model: dict[str, Any]) -> None:
        model["measured"]["ill"]["told"]["rates"] = ["600", "150", "125"]

    def silent(model: dict[str, Any]) -> None:
        del model["measured"]["ill"]["told"]

    def some(model: dict[str, Any]) -> None:
        del model["measured"]["ill"]

    def in_groups_alone(model: dict[str, Any]) -> None:
        """Groups take all that was paid, and what is shown beside them nothing."""
        for each in model["measured"].values():
            del each["told"]
        model["groups"] = {label: [{"group": "f"}, {"group": "m"}] for label in model["labels"]}
        model["groups_told"] = [{"rates": ["1/16", "1/16", "1/8"]} for _ in model["labels"]]

    for change in (later, dear, silent, some, in_groups_alone):
        refused(with_model(pack, change), pack, "what was measured is not in the cost|told")


READING = {"told": {"rates": ["1/2", "1/4", "1/8"]}}
PAID = {"pure": {"epsilon": "1"}}
RANGE = {"bounded_range": {"epsilon": "1"}}


@pytest.mark.parametrize(
    ("cost", "learner", "paid"),
    [
        ({"parallel": [RANGE, PAID]}, "generic", True),
        ({"parallel": [{"parallel": [RANGE, PAID]}, PAID]}, "selected(prior)", True),
        (PAID, "counted", False),
        ({"sequential": [PAID, PAID]}, "counted", False),
        ({"parallel": [PAID, RANGE]}, "counted", False),
        ({"parallel": [RANGE, RANGE, PAID]}, "selected(prior, generic)", False),
        ({"parallel": [RANGE, PAID]}, "selected(prior)", False),
    ],
)
def test_what_learning_paid_pays_for_no_measurement(cost: Any, learner: str, *, paid: bool) -> None:
    """A model that was measured later at its own epsilon, its mark gone."""
    model = {"cost": cost, "learner": learner, "labels": ["ill"], "measured": {"ill": READING}}
    if paid:
        check_release.check_measured(model, added=False)
        model["groups"] = {"ill": [{"group": "f"}, {"group": "m"}]}  # and nobody paid for these
    with pytest.raises(ValueError, match="what was measured is not in the cost"):
        check_release.check_measured(model, added=False)


def test_groups_of_replaced_rows_cost_twice_what_those_of_added_ones_do() -> None:
    told = [{"rates": ["1/2", "1/4", "1/4"]}]
    model: dict[str, Any] = {"learner": "generic", "labels": ["ill"], "groups_told": told}
    model["cost"] = {"added": {"parallel": [RANGE, PAID]}}
    check_release.check_measured(model, added=True)
    with pytest.raises(ValueError, match="what was measured is not in the cost"):
        check_release.check_measured(model | {"cost": model["cost"]["added"]}, added=False)


def test_there_is_one_way_to_write_a_signature(pack: packs.Packed) -> None:
    """What is beyond the order, or the prime, would be another one of the same message."""
    parts = packs.members(pack.raw)
    message, signature = parts["manifest.json"], bytes.fromhex(parts["manifest.sig"].decode())
    check_release.check_signature(pack.key, message, signature)
    again = int.from_bytes(signature[32:], "little") + check_release.ORDER
    other = signature[:32] + again.to_bytes(32, "little")
    with pytest.raises(ValueError, match="the signature is wrong"):
        check_release.check_signature(pack.key, message, other)
    with pytest.raises(ValueError, match="the signature is wrong"):
        check_release.point((check_release.PRIME + 1).to_bytes(32, "little"))


def test_a_proof_of_something_else_than_the_claim(pack: packs.Packed) -> None:
    """The proof names an epsilon that can be shown, and the claim a thousandth."""
    for name, less in (("epsilon", "1/1000"), ("delta", "0")):
        record = json.loads(pack.parts["record.json"])
        record["privacy"]["proof"][name] = record["privacy"][name]
        record["privacy"][name] = less
        forged = signed(pack, record_json=json.dumps(record).encode())
        refused(forged, pack, "is claimed|no theorem")


def test_coins_that_were_not_secret_and_a_promise_that_was_not_made(pack: packs.Packed) -> None:
    """The model says so, or promises another error, and the record does not."""
    refused(with_model(pack, lambda model: model.update(secure=False)), pack, "differ: secure")
    refused(with_model(pack, lambda model: model.update(accuracy=None)), pack, "differ: accuracy")
    insecure = with_model(pack, lambda model: model.update(secure=False))
    parts = packs.members(insecure)
    record = json.loads(parts["record.json"]) | {"secure": False}
    seeded = {"model_json": parts["model.json"], "record_json": json.dumps(record).encode()}
    refused(signed(pack, **seeded), pack, "not secret")


def chained(events: list[dict[str, Any]]) -> tuple[str, str]:
    """Return the export of a ledger of these events, and its last hash."""
    before, text = "0" * 64, ""
    for number, event in enumerate(events, start=1):
        said = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = sha256(f"{before}\n{said}".encode()).hexdigest()
        text += json.dumps({"event": event, "hash": before, "number": number}) + "\n"
    return text, before


def test_what_a_year_cost_is_added_up_whatever_the_day(pack: packs.Packed) -> None:
    told = [json.loads(line)["event"] for line in pack.parts["ledger.jsonl"].splitlines()]
    charge = next(event for event in told if event["kind"] == "reserve")
    other = {name: each for name, each in charge.items() if name != "request"}
    policy = pack.parts["policy.toml"].replace(b"[year]\nepsilon = 4", b"[year]\nepsilon = 1")
    for day, kept in ((f"{charge['time'][:4]}-12-31T23:59:59+00:00", False), ("9999-01-01", True)):
        text, head = chained([*told, other | {"time": day}])
        record = json.loads(pack.parts["record.json"])
        record["ledger"] |= {"head": head}
        changed = json.dumps(record).encode()
        raw = signed(pack, ledger_jsonl=text.encode(), record_json=changed, policy_toml=policy)
        if kept:
            check_release.check(raw, pack.key)
        else:
            refused(raw, pack, r"\[year\] epsilon")


def test_an_event_whose_hash_was_changed_is_of_no_ledger(pack: packs.Packed) -> None:
    lines = [json.loads(line) for line in pack.parts["ledger.jsonl"].splitlines()]
    for place in range(len(lines)):
        for entry, wrong in (("hash", "0" * 64), ("number", 99)):
            changed = [*lines[:place], lines[place] | {entry: wrong}, *lines[place + 1 :]]
            text = "".join(f"{json.dumps(line)}\n" for line in changed)
            refused(signed(pack, ledger_jsonl=text.encode()), pack, "was changed")


def test_an_approval_is_used_once_however_its_request_is_numbered(pack: packs.Packed) -> None:
    """A second charge names the request of the first one, counted from the end of the ledger."""
    lines = [json.loads(line) for line in pack.parts["ledger.jsonl"].splitlines()]
    told = [line["event"] for line in lines]
    charge = next(event for event in told if event["kind"] == "reserve")
    approval = next(event for event in told if event["kind"] == "approve")
    behind = charge["request"] - len(told) - 2
    for request, why in ((charge["request"], "no request of its own"), (behind, "request|own")):
        again = {"request": request, "time": told[-1]["time"]}
        events = [*told, approval | again, charge | again]
        text, before = chained(events)
        record = json.loads(pack.parts["record.json"])
        for place in (len(events), 0):
            record["ledger"] |= {"number": place, "hash": before, "head": before}
            parts = {"ledger_jsonl": text.encode(), "record_json": json.dumps(record).encode()}
            refused(signed(pack, **parts), pack, why if place else "another ledger")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('classes = ["rules", "scorecards", "thresholds"]', "classes = []", "among them"),
        ('classes = ["rules", "scorecards", "thresholds"]', 'classes = "rules"', "among them"),
        ("epsilon = 1\n", "epsilon = 0\n", r"\[release\] epsilon"),
        ("epsilon = 1\n", "epsilon = nan\n", "no exact number"),
        ("epsilon = 1\n", "epsilon = 1e-9999999\n", "no exact number"),
        ("epsilon = 1\n", "epsil\u043en = 1\n", "not known|Illegal|Invalid|Expected"),
        ("[approval]", "[approval]\nneeded = 2", "too few of these persons"),
        ('ada = "', 'ada = "" , "\u0430da" = "', "too few of these persons"),
        ('ada = "', '"\u0430da" = "', "too few of these persons"),
    ],
)
def test_policies_that_allow_nothing_or_somebody_else(
    pack: packs.Packed, old: str, new: str, why: str
) -> None:
    policy = pack.parts["policy.toml"].decode()
    assert old in policy
    refused(signed(pack, policy_toml=policy.replace(old, new, 1).encode()), pack, why)


def test_one_key_is_one_person_however_it_is_written(pack: packs.Packed) -> None:
    policy = pack.parts["policy.toml"].decode()
    key = policy.partition('ada = "')[2][:64]
    two = policy.replace(f'"{key}"', f'"{key}", bob = "{key.upper()}"')
    two = two.replace("[approval]", "[approval]\nneeded = 2")
    refused(signed(pack, policy_toml=two.encode()), pack, "too few of these persons")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (LOOP, "interrupted|not authorized"),
        (b"ATTACH DATABASE 'stolen.db' AS away", "not authorized"),
        (b"SELECT randomblob(1000000000) AS sick", "too big"),
        (b"SELECT 1 AS sick, 1 AS ill FROM data a, data b, data c, data d", "its rule|interrupted"),
        (b"DROP TABLE data", "not authorized"),
    ],
)
def test_queries_that_do_something_else(pack: packs.Packed, query: bytes, why: str) -> None:
    refused(signed(pack, model_sql=query), pack, why)


def test_the_program_ends_with_a_sentence(pack: packs.Packed, tmp_path: Path) -> None:
    (tmp_path / "house.pub").write_text(f"tacit-key-1 public {pack.key.hex()}\n")
    deep = claiming(pack, b'"delta": "1/1000000"', b'"delta": ' + b"[" * 10**5)
    (tmp_path / "deep.zip").write_bytes(deep)
    (tmp_path / "no.zip").write_bytes(claiming(pack, b'"library"', b'"libr\xc3\xa4ry"'))
    for words, status, said in (
        (["deep.zip", "--key", "house.pub"], 1, "REFUSED: it is nested too deeply"),
        (["no.zip", "--key", "house.pub"], 1, "REFUSED: 'library' is missing"),
        (["none.zip", "--key", "house.pub"], 2, "none.zip"),
        (["no.zip", "--key", "no.zip"], 2, ""),
        (["no.zip"], 2, "use: check_release.py PACK --key FILE"),
    ):
        line = [sys.executable, "-I", check_release.__file__, *words]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stdout, said in done.stderr) == (status, "", True)
        assert len(done.stderr.splitlines()) == 1
