"""`tacit site`: one house's answer to a question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from tacit.interfaces.cli.options.engines import Engine
from tacit.interfaces.cli.options.release import (
    Analyst,
    Dataset,
    EngineName,
    Files,
    Json,
    LedgerPath,
    Master,
    PolicyPath,
    RecordPath,
    SchemaPath,
    Seed,
    read_schema,
)
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.files import beside, read_as, writable
from tacit.interfaces.output.promise import privacy_line
from tacit.workflows.releasing.pack import public_text, read_key
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import check_kind
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import SiteQuestion

FAMILIES = {"scorecard": "scorecards", "conjunction": "conjunctions"}
"""What a policy calls the classes that are made of messages."""


def site(
    files: Files,
    *,
    question: Annotated[Path, typer.Option(help="The question, written by tacit ask.")],
    schema: SchemaPath,
    key: Annotated[Path, typer.Option(help="This house's private key; see: tacit key new.")],
    out: Annotated[Path, typer.Option(help="Where the message is written.")],
    ledger: LedgerPath = None,
    dataset: Dataset = None,
    analyst: Analyst = "",
    policy: PolicyPath = None,
    record: RecordPath = None,
    engine: EngineName = Engine.EMBEDDED,
    master: Master = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Answer a question from this house's own rows: one signed message of noisy counts.

    The question is refused if it declares a column in another way than this house's schema, costs
    more than its policy or ledger allows, is late, or asks other houses. The message is all that
    leaves the house. Noise is its own, so that no other house needs to be trusted.

    Example:

      tacit site patients.csv --question q.json --schema s.toml --key north.key --ledger l.db
      --dataset clinic --policy policy.toml --out messages/north.json
    """
    inputs = [*files, str(question), str(schema), str(key), *beside(ledger)]
    writable(out, option="--out", inputs=inputs)
    asked = read_as(question, SiteQuestion.loads, option="--question")
    check_kind(asked)
    signer = read_as(key, read_key, option="--key")
    facts = {
        "epsilon": str(asked.privacy.epsilon),
        "delta": str(asked.privacy.delta),
        "person": asked.unit.person,
        "neighbours": asked.unit.neighbours,
        "families": (FAMILIES[asked.kind],) if asked.kind in FAMILIES else (),
        "measured": False if asked.kind in FAMILIES else None,  # that is another question
        "question": asked.digest,
    }

    def lines(told: SiteMessage) -> list[str]:
        private = privacy_line(told.privacy, told.n, secure=told.secure, unit=told.unit)
        many = f"{sum(map(len, told.tables))} noisy numbers in {len(told.tables)} tables"
        said = f"The message in {escape(str(out))} answers question {asked.digest[:12]}: {many}."
        alone = "That holds towards all who see all messages, whatever they know of other houses."
        return [said, private, alone]

    let_out(
        answer,
        lines,
        files,
        read_schema(schema),
        (ledger, dataset, analyst, seed),
        as_json=as_json,
        engine=engine,
        master=master,
        out=out,
        write=lambda told, text: text.write(told.signed(signer).dumps()),
        policy=policy,
        record=record,
        private=True,
        facts=facts,
        question=asked,
        site=public_text(signer).split()[-1],
    )
