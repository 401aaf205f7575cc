"""A release as one JSON object, of which a card is the words; its format is in docs/pack.md."""

from __future__ import annotations

import inspect
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from tacit.concepts.contract.concept_class import family_of
from tacit.core.composition import price
from tacit.core.composition.proof import prove
from tacit.core.cost import ReleaseCost
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.label_privacy import SAID
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.core.version import __version__
from tacit.data.ledger.approval import requested
from tacit.data.ledger.chain import Event
from tacit.data.ledger.ledger import LONGEST_PURPOSE
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.workflows.releasing import check_release
from tacit.workflows.releasing.policy import AUTO, Intended, Policy, shown

FORMAT = "tacit-record-1"
COMPOSITION = "docs/proofs/composition.md"


def model_record(
    model: Model, text: str, *, events: Sequence[Event] = (), policy: Policy | None = None
) -> dict[str, Any]:
    """Return the record of a model, whose file holds this text.

    `events` are those of the ledger that it was charged to; the last charge of its cost, unit and
    purpose is taken for its own; who approved it are those who may by the policy.
    """
    if model.cost is None:
        raise InvalidArgument(f"of this model {SAID}: it has no cost of rows that could be shown")
    check_own(model)
    charge = _charge(model, events) if events else None
    told, read = model.encode(), f"{', '.join(model.labels)} from {', '.join(model.features)}"
    return {
        "format": FORMAT,
        "kind": "learn",
        "question": f"{family_of(model.concepts)}: {read}",
        **{name: told[name] for name in ("class", "learner", "features", "labels", "n", "secure")},
        "cost": told["cost"],
        "privacy": _privacy(model.cost, model.of_rows, model.unit),
        "accuracy": told["accuracy"],
        "measured": told.get("measured"),
        "groups": told.get("groups"),
        "schema_digest": _digest(model.schema),
        "model_digest": _digest(text),
        "ledger": charge,
        "approved": _approved(charge, events, policy),
        "versions": {"tacit": model.version, "packed_by": __version__} | _versions(),
        "proofs": sorted({COMPOSITION, *_pages(model.learner), *_beside(model)}),
    }


def release_record(
    kind: str, released: Any, schema: str, *, events: Sequence[Event] = (), charge: str = ""
) -> dict[str, Any]:
    """Return the record of what another verb let out: a count, a quantile, rows, a measurement.

    `charge` is its reservation among the events of the ledger.
    """
    paid = [event for event in events if charge and event.body.get("id") == charge]
    return {
        "format": FORMAT,
        "kind": kind,
        "question": kind,
        "n": released.n,
        "secure": released.secure,
        "cost": encode_cost(released.cost),
        "privacy": _privacy(released.cost, released.privacy, released.unit),
        "told": released.describe(),
        "schema_digest": _digest(schema),
        "ledger": _place(paid[0], events) if paid else None,
        "versions": {"tacit": __version__} | _versions(),
        "proofs": [COMPOSITION],
    }


def proved_epsilon(cost: ReleaseCost, delta: Fraction) -> Fraction:
    """Return the epsilon that a checker can show for a cost."""
    return prove(cost, delta).privacy.epsilon


def check_own(model: Model) -> None:
    """Refuse a model that holds more than it paid for itself."""
    if model.measured_later:
        raise Refused(
            "this model was measured after it was learned, which its cost does not say: pack the "
            "one that tacit learn wrote, and the record of tacit measure (--record) beside it"
        )


def of_model(model: Model) -> Intended:
    """Return what a model would let out, at the price that a checker can show."""
    check_own(model)
    if model.cost is None:
        return Intended(model.privacy.epsilon, Fraction(0), labels_only=True)
    delta = model.of_rows.delta
    return replace(shown(model), epsilon=proved_epsilon(model.cost, delta), delta=delta)


def _privacy(cost: ReleaseCost, privacy: Privacy, unit: Unit) -> dict[str, Any]:
    shown, told = prove(cost, privacy.delta), price(cost, privacy.delta)
    claim = {"epsilon": str(shown.privacy.epsilon), "delta": str(shown.privacy.delta)}
    try:
        check_release.proved(encode_cost(cost), claim | shown.encode())
    except ValueError as error:
        raise InvalidArgument(
            f"the checker (docs/pack.md) has no proof of this cost: {error}"
        ) from None
    return {
        **claim,
        "unit": {"person": list(unit.person), "said": unit.said},
        "neighbours": unit.neighbours.value,
        "proof": shown.encode(),
        "library": {"epsilon": str(told.privacy.epsilon), "interpreter": told.interpreter},
    }


def _charge(model: Model, events: Sequence[Event]) -> dict[str, Any]:
    """Return where the ledger charged the model: by the columns that were asked for.

    Where the number of rows is secret, which class is chosen is known after the charge.
    """
    columns = [name for name, _ in model.outcomes] or model.labels
    read = f"{', '.join(columns)} from {', '.join(model.features)}"
    known = (str(model.concepts), *([AUTO] if model.unit.added else []))
    purposes = {f"{what}: {read}"[:LONGEST_PURPOSE] for what in known}
    for event in reversed(events):
        body = event.body
        same = body["kind"] == "reserve" and body["purpose"] in purposes
        same = same and Unit.decode(body.get("unit")) == model.unit
        if same and model.cost is not None and body["cost"] == encode_cost(model.cost):
            return _place(event, events)
    raise InvalidArgument(
        "the ledger (--ledger) has no charge of this model's cost, unit and purpose; name the one "
        "that it was charged to, or leave it out"
    )


def _place(event: Event, events: Sequence[Event]) -> dict[str, Any]:
    """Return where a charge stands in its ledger."""
    names = ("id", "dataset", "analyst", "time", "request")
    told = {name: event.body[name] for name in names if name in event.body}
    return told | {"number": event.number, "hash": event.hash, "head": events[-1].hash}


def _approved(
    charge: dict[str, Any] | None, events: Sequence[Event], policy: Policy | None
) -> list[str]:
    """Return who let a charge be made, before it was."""
    if charge is None or policy is None or "request" not in charge:
        return []
    before, day = events[: charge["number"] - 1], charge["time"][:10]
    return policy.approvers(before, requested(before, charge["request"]), day)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()}


def _beside(model: Model) -> Iterable[str]:
    """Yield the pages on what is done with any learner: persons, and measuring."""
    return (
        f"docs/proofs/{page}.md"
        for page, done in (("measurement", model.measured), ("persons", model.unit.person))
        if done
    )


def _pages(learner: str) -> set[str]:
    """Return the proof pages that the classes of a learner's own module name."""
    entry = named(learner)
    modules = [each for name, each in sys.modules.items() if name.startswith("tacit.learners.")]
    own = [each for each in modules if getattr(each, "ENTRY", None) is entry]
    kinds = (kind for module in own for kind in vars(module).values() if inspect.isclass(kind))
    docs = " ".join(kind.__doc__ or "" for kind in kinds if kind.__module__.startswith("tacit.l"))
    return set(re.findall(r"docs/proofs/\w+\.md", docs))
