"""The pack of a model: its record, card, SQL, policy, ledger and checker, signed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tacit.core.errors import InvalidArgument, Refused
from tacit.data.ledger.chain import Event
from tacit.interfaces.report.card import model_card
from tacit.learners.contract.model import Model
from tacit.workflows.naming import describe, query
from tacit.workflows.releasing import check_release
from tacit.workflows.releasing.pack import packed, public_text, shipped
from tacit.workflows.releasing.policy import FORBIDS, Policy
from tacit.workflows.releasing.record import model_record, of_model


def pack_of(
    text: str,
    policy: str,
    key: Ed25519PrivateKey,
    *,
    events: Sequence[Event] = (),
) -> tuple[bytes, list[str], dict[str, Any]]:
    """Return the pack of a model's file, what the checker in it says of it, and the record.

    What the policy forbids is refused with its clause, and so is what the checker would refuse.
    """
    model, house = Model.loads(text), Policy.parse(policy)
    house.check(of_model(model))
    record = model_record(model, text, events=events, policy=house)
    texts = {
        "model.json": text,
        "record.json": json.dumps(record, indent=1) + "\n",
        **model_card(record, describe(model)["rules"]),
        "model.sql": query(model, "data", "sqlite") + "\n",
        "policy.toml": policy,
    }
    if events:
        texts["ledger.jsonl"] = "".join(f"{event.line}\n" for event in events)
    raw = packed({name: each.encode() for name, each in texts.items()} | shipped(), key)
    try:
        shown = check_release.check(raw, bytes.fromhex(public_text(key).split()[-1]))
    except ValueError as error:
        if str(error).startswith("["):
            raise Refused(f"{FORBIDS} {error}") from None
        raise InvalidArgument(f"the checker would refuse this pack: {error}") from None
    return raw, shown, record
