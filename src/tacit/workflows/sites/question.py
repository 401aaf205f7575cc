"""A question to several houses: public, complete, and the same for all of them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tacit.core import check
from tacit.core.budget import LEAST, read_budget
from tacit.core.composition import calibrate, price
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS, Unit
from tacit.data.reading.coding import Coding
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.workflows.counting.bins import Bins
from tacit.workflows.sites.axes import Axis
from tacit.workflows.sites.descent import RowSums
from tacit.workflows.sites.tables import NoisyTables, SiteTable

FORMAT = "tacit-question-1"
TIME = "%Y-%m-%dT%H:%M:%SZ"
MOST_SITES = 1 << 10
MALFORMED = (KeyError, TypeError, ValueError, IndexError)
"""What reading a file raises that somebody else wrote."""
LASTS = timedelta(days=30)
"""How long a question may be answered, if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table that a kind of question needs, and its weight beside the others."""

    by: tuple[Axis, ...]
    weight: Fraction
    of: Bins | RowSums | None = None


@dataclass(frozen=True, slots=True)
class SiteQuestion:
    """Noisy tables that houses are asked for; what is made of their sum is for `kind` to say.

    `given` is what the kind needs to read the sum. `schema` declares the columns that are read.
    Only the houses whose public keys are among the `sites` are asked, until `until`; `nonce` tells
    this question from all others, `round` from earlier ones of the same conversation. With `honest`
    each house adds a share of noise, of which so many make up the whole, and masks its message.
    """

    kind: str
    given: Mapping[str, Any] = field(hash=False)
    tables: tuple[SiteTable, ...]
    schema: Schema
    privacy: Privacy
    sites: tuple[str, ...]
    until: str
    nonce: str
    unit: Unit = ROWS
    round: int = 1
    model: Model | None = field(default=None, repr=False)
    honest: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(set(self.sites)) == len(self.sites) <= MOST_SITES:
            raise InvalidArgument("sites: a question names 1 to 1,024 houses, each of them once")
        for key in (*self.sites, self.nonce):
            if len(key) != 64 or key.strip("0123456789abcdef"):
                raise InvalidArgument(f"a key has 64 hexadecimal digits, got {key[:70]!r}")
        read_time(self.until)
        check.count(round=self.round, least=1, up_to=1 << 20)
        if self.honest is not None and not 2 <= self.honest < len(self.sites):
            raise InvalidArgument(
                f"honest: of {len(self.sites)} houses noise is split between 2 at least, and not "
                f"all: between {len(self.sites)} it would hide no house's rows from another house"
            )
        spent = price(self.cost, self.privacy.delta).privacy.epsilon
        if spent > self.privacy.epsilon:
            raise InvalidArgument(
                f"the tables cost epsilon = {float(spent):.6g}, more than the question says"
            )

    @property
    def mechanism(self) -> NoisyTables:
        """What tells all tables."""
        names = dict.fromkeys(name for table in self.tables for name in table.columns)
        return NoisyTables(tuple(names), self.tables)

    @property
    def cost(self) -> ReleaseCost:
        """What an answer costs a row of the house that gives it."""
        return self.mechanism.cost

    @property
    def coding(self) -> Coding:
        """What is read of a table."""
        return Coding.of(self.schema, self.mechanism.columns, role="columns")

    @property
    def said(self) -> str:
        """What is asked, in words."""
        split = f"; noise is split between {self.honest} houses" if self.honest else ""
        return f"{self.kind}: {', '.join(self.mechanism.columns)}{split}"

    def encode(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        model = {} if self.model is None else {"model": self.model.encode()}
        split = {} if self.honest is None else {"honest": self.honest}
        return {
            "format": FORMAT,
            "kind": self.kind,
            "round": self.round,
            "nonce": self.nonce,
            "until": self.until,
            "sites": list(self.sites),
            "privacy": {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)},
            "unit": self.unit.encode(),
            **split,
            "tells": [table.said for table in self.tables],
            "tables": [table.encode() for table in self.tables],
            "given": dict(self.given),
            "schema": self.schema.dump(),
            **model,
        }

    def dumps(self) -> str:
        """Return the text of its file; there is one way only to write a question."""
        return canonical(self.encode())

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""
        return sha256(self.dumps().encode()).hexdigest()

    @classmethod
    def decode(cls, encoded: Any) -> SiteQuestion:
        """Read what `encode` wrote; whoever sent it may have sent anything."""
        try:
            if encoded["format"] != FORMAT:
                raise InvalidArgument(f"not a question: the format must be {FORMAT!r}")
            for name in ("kind", "nonce", "until", "schema"):
                if not isinstance(encoded[name], str):
                    raise InvalidArgument(f"not a question: {name} must be a text")
            schema, unit = Schema.parse(encoded["schema"]), Unit.decode(encoded["unit"])
            model = Model.decode(encoded["model"]) if "model" in encoded else None
            split = check.count(honest=encoded["honest"]) if "honest" in encoded else None
            given = dict(encoded["given"])
            if model is not None and Schema.parse(model.schema) != schema:
                raise InvalidArgument("not a question: its model has another schema")
            asked = cls(
                kind=encoded["kind"],
                given=given,
                tables=tuple(
                    replace(table, honest=split)
                    for each in encoded["tables"]
                    for table in [SiteTable.decode(each, schema, model, given, added=unit.added)]
                ),
                schema=schema,
                privacy=read_budget(encoded["privacy"]["epsilon"], encoded["privacy"]["delta"]),
                sites=tuple(str(key) for key in encoded["sites"]),
                until=encoded["until"],
                nonce=encoded["nonce"],
                unit=unit,
                round=check.count(round=encoded["round"]),
                model=model,
                honest=split,
            )
        except (*MALFORMED, AttributeError, ArithmeticError) as error:
            if isinstance(error, TacitError):
                raise
            raise InvalidArgument(f"not a question: {error} is missing or malformed") from None
        if asked.encode() != encoded:
            raise InvalidArgument("not a question that this version of tacit writes")
        return asked

    @classmethod
    def loads(cls, text: str) -> SiteQuestion:
        """Read the text of a file."""
        return cls.decode(read_canonical(text, "question"))


def pose(
    kind: str,
    given: Mapping[str, Any],
    wanted: Sequence[Wanted],
    schema: Schema,
    *,
    epsilon: Exact,
    delta: Exact = 0,
    sites: Sequence[str],
    until: datetime | None = None,
    unit: Unit = ROWS,
    round_: int = 1,
    model: Model | None = None,
    honest: int | None = None,
    rho: Fraction | None = None,
) -> SiteQuestion:
    """Divide a budget among tables by their weights, with the noise that varies less.

    With `rho` the budget is that of several rounds, this one costs so much, and noise is Gaussian.
    """
    if honest is not None and Fraction(delta):
        raise InvalidArgument("honest: Gaussian noise cannot be split, so that delta must be 0")
    total, weights = read_budget(epsilon, delta), sum(each.weight for each in wanted)

    def tables(whole: Fraction, *, gaussian: bool) -> tuple[SiteTable, ...]:
        return tuple(
            SiteTable(each.by, whole * each.weight / weights, gaussian, unit.added, each.of, honest)
            for each in wanted
        )

    def cost(rho: Fraction) -> Any:
        return NoisyTables((), tables(rho, gaussian=True)).cost

    chosen = tables(total.epsilon, gaussian=False)
    if rho is not None:
        chosen = tables(rho, gaussian=True)
    elif total.delta:
        near = tables(calibrate(total, cost), gaussian=True)
        if sum(t.variance for t in near) < sum(t.variance for t in chosen):
            chosen = near
    names = dict.fromkeys(name for table in chosen for name in table.columns)
    read = schema if model is not None else Schema({name: schema[name] for name in names})
    paid = total if chosen[0].gaussian else Privacy(total.epsilon)
    if rho is not None:
        spent = price(NoisyTables((), chosen).cost, total.delta).privacy.epsilon
        paid = Privacy(max(spent, LEAST), total.delta)
    last = (until or datetime.now(UTC) + LASTS).astimezone(UTC).strftime(TIME)
    nonce = os.urandom(32).hex()  # no coin of a release: it tells questions apart
    keys = tuple(sorted(sites))
    told = (kind, given, chosen, read, paid, keys, last, nonce, unit, round_, model, honest)
    return SiteQuestion(*told)


def read_time(text: str) -> datetime:
    """Read a time that `TIME` wrote.

    >>> read_time("2026-11-18T12:00:00Z").year
    2026
    """
    try:
        read = datetime.strptime(text, TIME).replace(tzinfo=UTC)
    except ValueError:
        read = None
    if read is None or read.strftime(TIME) != text:
        raise InvalidArgument(f"a time must look like 2026-11-18T12:00:00Z, got {text[:40]!r}")
    return read


def canonical(encoded: Any) -> str:
    """Write a JSON object in the one way that is read."""
    return json.dumps(encoded, indent=1) + "\n"


def read_canonical(text: str, what: str) -> Any:
    """Read a JSON object; refuse one that is written in another way, or says a key twice."""
    try:
        encoded = json.loads(text)
    except (RecursionError, ValueError):
        raise InvalidArgument(f"not a {what}: it is no JSON that can be read") from None
    if not isinstance(encoded, dict) or canonical(encoded) != text:
        raise InvalidArgument(f"not a {what} as tacit writes it: it was changed")
    return encoded


def check_signature(site: str, text: str, signature: str, what: str) -> None:
    """Refuse a text that a house did not sign with its key."""
    try:
        raw = bytes.fromhex(signature)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(site)).verify(raw, text.encode())
    except (InvalidSignature, ValueError):
        raw = b""
    if raw.hex() != signature or not raw:
        raise InvalidArgument(
            f"the signature of the house {site[:16]} is not that of this {what}: it was changed, "
            "or signed by another"
        )
