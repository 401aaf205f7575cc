"""`tacit site`: one house's answer to a question."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from tacit.data.reading.files import matched
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.tables.flow import FACTS, let_out
from tacit.interfaces.output.files import forget, only_name, read_as
from tacit.interfaces.output.promise import privacy_line
from tacit.workflows.releasing.pack import public_text, read_key
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import check_kind
from tacit.workflows.sites.kinds.descent import told_whole
from tacit.workflows.sites.masks import Mask, Masks, PublicMask
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import SiteQuestion

FAMILIES = {"scorecard": "scorecards", "descent": "scorecards", "conjunction": "conjunctions"}
"""What a policy calls the classes that are made of messages."""


@given_a_table("person", "neighbours", "rows")
def site(
    given: Given,
    *,
    question: Annotated[Path, typer.Option(help="The question, written by tacit ask.")],
    key: Annotated[Path, typer.Option(help="This house's private key; see: tacit key new.")],
    out: Annotated[Path, typer.Option(help="Where the message is written.")],
    mask: Annotated[
        Path | None, typer.Option(help="This house's private mask, where noise is split.")
    ] = None,
    masks: Annotated[
        list[str] | None, typer.Option(help="The public masks (.pub) of all houses.")
    ] = None,
) -> None:
    """Answer a question from this house's own rows: one signed message of noisy counts.

    The question is refused if it declares a column in another way than this house's schema, costs
    more than its policy or ledger allows, is late, or asks other houses. The message is all that
    leaves the house. Noise is its own, so that no other house needs to be trusted. Where the
    question splits noise (tacit ask --honest) the message is masked, and the mask is deleted: only
    the sum of all messages shows anything, and some of the other houses have to be trusted.

    Examples:

      tacit site patients.csv --question q.json --schema s.toml --key north.key --ledger l.db
      --dataset clinic --policy policy.toml --out messages/north.json

      tacit site patients.csv --question q.json --schema s.toml --key north.key --mask masks/north
      --masks 'masks/*.pub' --out messages/north.json
    """
    asked = read_as(question, SiteQuestion.loads, option="--question")
    check_kind(asked)
    signer = read_as(key, read_key, option="--key")
    house, hidden = public_text(signer).split()[-1], None
    if mask is not None:
        mask = only_name(mask, option="--mask")
        shown = [read_as(each, PublicMask.loads, option="--masks") for each in matched(masks or [])]
        hidden = Masks.of(asked, house, read_as(mask, Mask.loads, option="--mask"), shown)
    facts = {
        "epsilon": str(asked.privacy.epsilon),
        "delta": str(asked.privacy.delta),
        "person": asked.unit.person,
        "neighbours": asked.unit.neighbours,
        "families": (FAMILIES[asked.kind],) if asked.kind in FAMILIES else (),
        "measured": False if asked.kind in FAMILIES else None,  # that is another question
    }

    def lines(told: SiteMessage) -> list[str]:
        private = privacy_line(told.privacy, told.n, secure=told.secure, unit=told.unit)
        kind = "masked" if hidden else "noisy"
        count = len(told.tables)
        many = f"{sum(map(len, told.tables))} {kind} numbers in {count} table{'s' * (count > 1)}"
        said = f"The message in {escape(str(out))} answers question {asked.digest[:12]}: {many}."
        return [said, private, *filter(None, [told_whole(asked)]), towards_whom(asked)]

    let_out(
        given,
        answer,
        given.declared(),
        lines,
        inputs=[question, key, *([mask] if mask else []), *(masks or [])],
        out=out,
        fill=lambda told, text: text.write(told.signed(signer).dumps()),
        private=True,
        told=lambda told: told.describe() | {"out": str(out)},
        facts=facts,
        request={k: v for k, v in facts.items() if k not in FACTS[:2] and v}
        | {"question": asked.digest},
        question=asked,
        site=house,
        masks=hidden,
        spend=partial(forget, mask) if mask else bool,
    )


def towards_whom(asked: SiteQuestion) -> str:
    """Say what the privacy of a message rests on."""
    if asked.honest is None:
        return "That holds towards all who see all messages, whatever they know of other houses."
    others = len(asked.sites) - asked.honest
    return (
        f"That holds towards all who see all messages, and any {others} of the other houses with "
        f"them, if {asked.honest} houses, this one among them, follow the protocol, and nobody "
        "breaks X25519, HKDF-SHA-256 or AES-256."
    )
