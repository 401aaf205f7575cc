"""A pack, and packs that somebody changed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tacit.data import Schema
from tacit.data.ledger import Cap, Ledger
from tacit.data.ledger.approval import Unapproved
from tacit.interfaces.report.card import model_card
from tacit.workflows import describe, learn, model_text, query
from tacit.workflows.releasing.pack import new_key, packed, public_text, read_key, shipped
from tacit.workflows.releasing.policy import Policy, intended
from tacit.workflows.releasing.record import model_record

SCHEMA = """
[columns.age]
type = "integer"
low = 0
high = 120
[columns.bmi]
type = "real"
low = 10
high = 60
step = 0.1
[columns.sex]
type = "category"
values = ["f", "m", "x"]
outside = "null"
[columns.day]
type = "date"
low = 2020-01-01
high = 2020-12-31
[columns.sick]
type = "bits"
[columns.ill]
type = "bits"
"""
POLICY = """\
format = "tacit-policy-1"
[release]
epsilon = 1
delta = 1e-6
[dataset]
epsilon = 4
[year]
epsilon = 4
[person]
epsilon = 4
[allowed]
classes = ["rules", "scorecards", "thresholds"]
units = ["row"]
[approval]
by = { ada = "KEY" }
[measured]
required = true
"""


@dataclass(frozen=True)
class Packed:
    """A pack that is right: its parts, its key, an older ledger."""

    parts: dict[str, bytes]
    private: str
    older: bytes

    @property
    def raw(self) -> bytes:
        return packed(self.parts, read_key(self.private))

    @property
    def key(self) -> bytes:
        return read_key(self.private).public_key().public_bytes_raw()


def table(rows: int = 600) -> dict[str, list[Any]]:
    """Return people whose labels follow from their age and weight."""
    dice = Random(3)
    people: dict[str, list[Any]] = {
        "age": [dice.randrange(121) for _ in range(rows)],
        "bmi": [dice.randrange(100, 600) / 10 for _ in range(rows)],
        "sex": [dice.choice("fmx") for _ in range(rows)],
        "day": [f"2020-{dice.randint(1, 12):02}-01" for _ in range(rows)],
    }
    people["sick"] = [int(age > 60) for age in people["age"]]
    people["ill"] = [int(bmi > 30) for bmi in people["bmi"]]
    return people


def make(folder: Path, concepts: str = "rules", learner: str = "generic") -> Packed:
    """Learn, charge and pack."""
    schema = Schema.parse(SCHEMA)
    ledger = Ledger.create(folder / "l.db")
    ledger.grant("clinic", schema, Cap(4, "1e-4"))
    older = "".join(f"{event.line}\n" for event in ledger.events())
    features = ["age"] if concepts == "thresholds" else ["age", "bmi", "sex", "day"]
    ada = read_key(new_key()[0])
    rules = POLICY.replace("KEY", public_text(ada).split()[-1])
    policy = Policy.parse(rules)
    asked = {"verb": "learn", "class": concepts, "labels": ["sick", "ill"], "features": features}
    wanted = intended(1, "1e-6", measured=True)
    approved(ledger, lambda: policy.keep(ledger, "clinic", wanted, asked), ada)
    kept = policy.keep(ledger, "clinic", wanted, asked)
    with ledger.charging("clinic", schema, rule=kept) as charge:
        model = learn(
            table(),
            schema,
            concepts=concepts,
            features=features,
            labels=["sick", "ill"],
            epsilon=1,
            delta="1e-6",
            learner=learner,
            hold_out=None,
            charge=charge,
        )
    text = model_text(model)
    events = ledger.events()
    record = model_record(model, text, events=events, policy=policy)
    texts = {
        "model.json": text,
        "record.json": json.dumps(record),
        **model_card(record, describe(model)["rules"]),
        "model.sql": query(model, "data", "sqlite"),
        "policy.toml": rules,
        "ledger.jsonl": "".join(f"{event.line}\n" for event in events),
    }
    parts = {name: each.encode() for name, each in texts.items()} | shipped()
    return Packed(parts, new_key()[0], older.encode())


def approved(ledger: Ledger, ask: Callable[[], object], *keys: Ed25519PrivateKey) -> int:
    """Ask, and let persons approve the request that it becomes."""
    with pytest.raises(Unapproved):
        ask()
    last = [event for event in ledger.events() if event.body["kind"] == "request"][-1]
    for key in keys:
        ledger.approve(last.number, "9999-12-31", public_text(key).split()[-1], key.sign)
    return last.number


def members(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive(parts: dict[str, bytes]) -> bytes:
    """Put parts together as they are, with the old manifest and signature."""
    with zipfile.ZipFile(raw := io.BytesIO(), "w") as made:
        for name in sorted(parts):
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o644 << 16
            made.writestr(info, parts[name])
    return raw.getvalue()


def tampered(pack: Packed, other: Packed, dice: Random) -> Iterator[tuple[str, bytes]]:
    """Yield changed packs without end: what was done, and the bytes."""
    raw, parts = pack.raw, members(pack.raw)
    foreign, names = members(other.raw), sorted(parts)
    others = [name for name in names if parts[name] != foreign[name]]
    while True:
        name, place = dice.choice(names), dice.randrange(len(raw))
        held = bytearray(parts[name])
        spot = dice.randrange(len(held))
        held[spot] ^= 1 << dice.randrange(8)
        yield f"a bit of {name} at {spot}", archive(parts | {name: bytes(held)})
        yield f"a byte at {place}", raw[:place] + bytes([raw[place] ^ 0xFF]) + raw[place + 1 :]
        yield f"{name} of another length", archive(parts | {name: parts[name] + b"\n"})
        swapped = dice.choice(others)
        yield f"{swapped} of another pack", archive(parts | {swapped: foreign[swapped]})
        first, second = dice.sample(names, 2)
        yield f"{first} for {second}", archive(parts | {first: parts[second], second: parts[first]})
        yield "an older ledger", archive(parts | {"ledger.jsonl": pack.older})
        yield f"without {name}", archive({key: each for key, each in parts.items() if key != name})
        yield "one part more", archive(parts | {f"more{place}": b"x"})
        yield f"cut at {place}", raw[:place]
        yield "more at its end", raw + bytes([dice.randrange(256)])
        yield "signed by another key", packed(pack.parts, read_key(other.private))
