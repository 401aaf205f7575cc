"""Houses with keys, their messages, and messages that somebody changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tacit.core.chance.randomness import Seeded
from tacit.data import Bits, Integer, Schema
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import ask
from tacit.workflows.sites.masks import Masks, new_mask
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import TIME, SiteQuestion, canonical

SCHEMA = Schema({"age": Integer(0, 99), "days": Integer(0, 364), "ill": Bits()})
UNTIL = datetime(2026, 12, 31, tzinfo=UTC)
NOW = UNTIL - timedelta(days=9)


@dataclass(frozen=True)
class Houses:
    """Some houses, each with a key of its own."""

    keys: tuple[Ed25519PrivateKey, ...]

    @classmethod
    def of(cls, many: int) -> Houses:
        return cls(tuple(Ed25519PrivateKey.generate() for _ in range(many)))

    @property
    def sites(self) -> list[str]:
        return [key.public_key().public_bytes_raw().hex() for key in self.keys]

    def ask(self, kind: str, schema: Schema = SCHEMA, **asked: Any) -> SiteQuestion:
        return ask(kind, schema, **({"epsilon": 1, "until": UNTIL} | asked), sites=self.sites)

    def answer(
        self, question: SiteQuestion, tables: Sequence[Any], schema: Schema = SCHEMA
    ) -> list[str]:
        """Return the messages of all houses, one table each."""
        masks: Sequence[Masks | None] = [None] * len(self.keys)
        if question.honest:
            masks = self.masks(question)
        houses = zip(self.keys, self.sites, tables, masks, strict=True)
        told = []
        for place, (key, site, table, mask) in enumerate(houses):
            asked: Any = {"question": question, "site": site, "now": NOW, "masks": mask}
            told.append(answer(table, schema, **asked, rng=Seeded(place)).signed(key).dumps())
        return told

    def masks(self, question: SiteQuestion) -> list[Masks]:
        """Return the masks of all houses, each with the public ones of all."""
        own = [new_mask(question) for _ in self.keys]
        shown = [mask.public(question, key) for mask, key in zip(own, self.keys, strict=True)]
        pairs = zip(self.sites, own, strict=True)
        return [Masks.of(question, site, mask, shown) for site, mask in pairs]


def rows(n: int, start: int = 0) -> dict[str, list[int]]:
    """Return rows of whom the old are ill."""
    ages = [(start + 37 * i) % 100 for i in range(n)]
    return {
        "age": ages,
        "days": [(13 * age + start) % 365 for age in ages],
        "ill": [int(age >= 60) for age in ages],
    }


def tampered(
    houses: Houses, dice: Random, honest: int | None = None
) -> Iterator[tuple[str, list[str]]]:
    """Yield sets of messages, each wrong in one way, without end."""
    first = houses.ask("count", by=["ill", "age=50"], honest=honest)
    second = replace(houses.ask("count", by=["ill", "age=50"], honest=honest), round=2)
    tables = [rows(50, start) for start in range(len(houses.keys))]
    true, other = houses.answer(first, tables), houses.answer(second, tables)
    remade = houses.answer(first, tables)
    assert first.nonce != second.nonce
    stranger = Houses.of(1)
    while True:
        place = dice.randrange(len(true))
        for what, text in _changes(true[place], other[place], houses.keys[place], stranger, dice):
            yield what, [*true[:place], text, *true[place + 1 :]]
        yield "mixed questions", [*true[:place], other[place], *true[place + 1 :]]
        yield "twice from one house", [*true, true[place]]
        yield "one in place of another", [*true[:place], true[place - 1], *true[place + 1 :]]
        if honest:
            yield "other masks", [*true[:place], remade[place], *true[place + 1 :]]
        yield "one missing", [*true[:place], *true[place + 1 :]]


def _changes(
    text: str, other: str, key: Ed25519PrivateKey, stranger: Houses, dice: Random
) -> Iterator[tuple[str, str]]:
    """Yield changed texts of one message."""
    told = json.loads(text)

    def with_(**changes: Any) -> str:
        return canonical(told | changes)

    counts = [list(table) for table in told["tables"]]
    counts[0][dice.randrange(len(counts[0]))] += dice.choice([-9, -1, 1, 50])
    yield "a count", with_(tables=counts)
    yield "more rows", with_(n=told["n"] + dice.randint(1, 9))
    yield "n withheld", with_(n=None)
    others = [site for site in told["question"]["sites"] if site != told["site"]]
    yield "another house", with_(site=dice.choice([*others, *stranger.sites]))
    yield "another signature", with_(signature=json.loads(other)["signature"])
    yield "no signature", with_(signature="")
    yield "capitals", with_(signature=told["signature"].upper())
    yield "said to be secure", with_(secure=not told["secure"])
    yield "another time", with_(made=f"2026-12-0{dice.randint(1, 9)}T00:00:00Z")
    yield "one more entry", with_(note="trust me")
    yield "another question beneath", with_(question=json.loads(other)["question"])
    cheaper = told["question"] | {"privacy": {"epsilon": "1/2", "delta": "0"}}
    yield "a smaller price", with_(question=cheaper)
    more = told["question"] | {"sites": [*told["question"]["sites"], *stranger.sites]}
    yield "one more house", with_(question=more)
    message = SiteMessage.loads(text)
    yield "masks said otherwise", with_(masks="0" * 64)
    turned = replace(message, masks="" if message.masks else "0" * 64)
    yield "masked or not, and signed so", turned.signed(key).dumps()
    late = (UNTIL + timedelta(seconds=dice.randint(1, 10**6))).strftime(TIME)
    yield "late, and signed so", replace(message, made=late).signed(key).dumps()
    foreign = replace(message, site=stranger.sites[0]).signed(stranger.keys[0])
    yield "signed by a stranger", foreign.dumps()
    short = replace(message, tables=(message.tables[0][:-1],)).signed(key)
    yield "a table too short, and signed so", short.dumps()
    yield "n withheld, and signed so", replace(message, n=None).signed(key).dumps()
    at = dice.randrange(len(text))
    yield "one byte", text[:at] + chr((ord(text[at]) + dice.randint(1, 90)) % 127) + text[at + 1 :]
    at = dice.randrange(len(text))
    yield "one byte less", text[:at] + text[at + 1 :]
    yield "cut off", text[: dice.randrange(len(text))]
    yield "written in another way", json.dumps(told)
    yield "a space more", text + " "
    yield "a key twice", text.replace('"secure"', '"secure": true,\n "secure"', 1)
