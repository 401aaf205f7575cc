"""`tacit pack`: everything that leaves the house, signed, in one file that anybody can check."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from tacit.core.bounded_file import read_text
from tacit.data.ledger import Ledger
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.cli.policy import read_policy
from tacit.interfaces.output.files import beside, read_as, whole, writable
from tacit.interfaces.report.packing import pack_of
from tacit.learners.contract.model import Model
from tacit.workflows.releasing.pack import read_key


def pack(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    *,
    policy: Annotated[Path, typer.Option(help="The policy; see: tacit policy template.")],
    sign: Annotated[Path, typer.Option(help="The private key; see: tacit key new.")],
    out: Annotated[Path, typer.Option(help="Where to write the pack.")] = Path("release.zip"),
    ledger: Annotated[
        Path | None, typer.Option(help="The ledger that the model was charged to.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Pack a model with its record, card, SQL, policy, ledger and checker, signed.

    What the policy forbids is refused with its clause (status 3). A pack is written only after the
    checker that goes into it has believed it. The same inputs give the same bytes.

    Example:

      tacit pack model.json --policy policy.toml --sign house.key --ledger budget.db

      python check_release.py release.zip --key house.key.pub
    """
    inputs = [str(each) for each in (model, policy, sign)] + beside(ledger)
    writable(out, option="--out", inputs=inputs)
    read_policy(policy)
    key = read_as(sign, read_key, option="--sign")
    read_as(model, Model.loads, option="MODEL")
    raw, shown, record = pack_of(
        read_as(model, str, option="MODEL"),
        read_text(policy),
        key,
        events=[] if ledger is None else Ledger(ledger).events(),
    )
    with whole(out) as file:
        file.buffer.write(raw)
    digest = sha256(raw).hexdigest()
    told = {"out": str(out), "sha256": digest, "shown": shown, "record": record}
    said = [f"The pack is in {out}, sha256 {digest}", *(f"  {line}" for line in shown)]
    typer.echo(json.dumps(told) if as_json else "\n".join(said))
