"""What a house lets out: a TOML file of clauses, each of which can forbid a release."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

from tacit.concepts.contract.concept_class import family_of
from tacit.core import check
from tacit.core.errors import InvalidArgument, Refused, TacitError
from tacit.core.numbers.exact import Exact, told
from tacit.core.unit import ROWS, Neighbours, Unit
from tacit.data.ledger.approval import Unapproved, approving, charges, covers, used
from tacit.data.ledger.chain import Event
from tacit.data.ledger.ledger import Ledger
from tacit.learners.contract.model import Model

FORMAT = "tacit-policy-1"
CAP = ("epsilon", "delta")
ADDED_UP = ("dataset", "year", "person")
CLAUSES: dict[str, tuple[str, ...]] = {
    "release": CAP,
    **dict.fromkeys(ADDED_UP, CAP),
    "allowed": ("classes", "learners", "units", "neighbours"),
    "approval": ("by", "needed"),
    "measured": ("required", "groups"),
}
LONGEST = 1 << 14
"""Characters of a policy: what is read of a hostile one takes no second."""
APPROVED = ("verb", "class", "learner", "by", "labels", "features")
SAID = ("hold_out", "cuts", "weights", "public", "public_labelled", "rows")
"""What of a question to `learn` is approved: the first always, the others where they are said."""
_KEY = re.compile("[0-9a-f]{64}")
AUTO = "auto"
CHOSEN = ("thresholds", "rules", "scorecards")
"""What may be learned where nobody names a class."""
TEMPLATE = f"""\
# The policy of the house: what is not written here is not forbidden. See docs/pack.md.
format = "{FORMAT}"

[release]              # the most that one release may cost
epsilon = 1
delta = 1e-6

[dataset]              # all releases from one data set, by its ledger
epsilon = 4
delta = 1e-5

[year]                 # the same, in one calendar year
epsilon = 2
delta = 1e-5

[person]               # all releases from all data sets of a ledger
epsilon = 8
delta = 1e-5

[allowed]
classes = ["thresholds", "rules", "scorecards"]
units = ["row", "person"]          # who is protected
neighbours = ["replaced"]          # replaced, added

[measured]
required = true                    # every label, on rows that were held out

# [approval]           # who must approve each release, by their public keys: tacit key new
# needed = 2
# by = {{ ada = "64 digits of ada.key.pub", bob = "64 digits of bob.key.pub" }}
"""


@dataclass(frozen=True, slots=True)
class Intended:
    """What is about to be let out, as far as it is known before anything is read.

    `families` are those of the classes that may be learned: several where one will be chosen.
    """

    epsilon: Fraction
    delta: Fraction
    unit: Unit = ROWS
    families: tuple[str, ...] = ()
    learner: str | None = None
    measured: bool | None = None
    grouped: bool | None = None
    labels_only: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The clauses of a house; a number is exact, and 0.1 is 1/10.

    >>> house = Policy.parse('format = "tacit-policy-1"\\n[release]\\nepsilon = 0.5')
    >>> house.check(Intended(Fraction(1), Fraction(0)))
    Traceback (most recent call last):
    tacit.core.errors.Refused: the policy forbids it: [release] epsilon = 1/2, and this ... 1
    """

    clauses: Mapping[str, Mapping[str, Any]]
    digest: str = ""

    @classmethod
    def parse(cls, text: str) -> Policy:
        """Read a policy; whatever is not known is refused, since it would not be kept."""
        if len(text) > LONGEST:
            raise InvalidArgument(f"the policy has more than {LONGEST} characters; is it the one?")
        try:
            read = tomllib.loads(text, parse_float=str)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise InvalidArgument(f"the policy is not valid TOML: {told(error)}") from None
        if read.pop("format", None) != FORMAT:
            raise InvalidArgument(
                f'a policy begins with format = "{FORMAT}"; see: tacit policy template'
            )
        for name, clause in read.items():
            known = CLAUSES.get(name, ())
            if not isinstance(clause, dict) or (extra := sorted(clause.keys() - {*known})):
                listed = told(", ".join(extra)) if isinstance(clause, dict) else "no table"
                raise InvalidArgument(f"the policy has a clause [{told(name)}] {listed}")
            for key, value in clause.items():
                clause[key] = _read(name, key, value)
            if name == "approval":
                clause.setdefault("needed", 1)
                if not 1 <= clause["needed"] <= len(clause.setdefault("by", {})):
                    raise InvalidArgument("[approval] needed must be 1 to as many as by names")
        return cls(MappingProxyType(read), sha256(text.encode()).hexdigest())

    def check(self, intended: Intended) -> None:
        """Refuse what some clause forbids, with the clause."""
        for key, asked in (("epsilon", intended.epsilon), ("delta", intended.delta)):
            self._at_most("release", key, asked, "this release costs")
        if intended.labels_only:
            raise Refused(f"{FORBIDS} labels alone would be protected, and a policy is about rows")
        facts: list[tuple[str, str | None]] = [("classes", each) for each in intended.families]
        facts += [("learners", intended.learner)]
        facts += [("units", "person" if intended.unit.person else "row")]
        facts += [("neighbours", intended.unit.neighbours.value)]
        for key, fact in facts:
            among = self._clause("allowed").get(key)
            if among is not None and fact is not None and fact not in among:
                raise Refused(f"{FORBIDS} [allowed] {key} = {', '.join(among)}; not {fact}")
        for key, given in (("required", intended.measured), ("groups", intended.grouped)):
            if self._clause("measured").get(key) and given is False:
                raise Refused(f"{FORBIDS} [measured] {key}: hold rows out and measure on them")

    def check_tried(self, model: Model) -> None:
        """Refuse a model that was tried out on made-up rows: who learns, and whether it measures.

        Where both are chosen by a number that is told with noise, no learner is sure before.
        """
        later = model.unit.added and bool(model.why) and not model.declared
        self.check(replace(shown(model), learner=AUTO if later else model.learner))

    def keep(
        self,
        ledger: Ledger | None,
        dataset: str | None,
        intended: Intended,
        asked: Mapping[str, Any],
        analyst: str = "",
    ) -> Kept:
        """Refuse what is forbidden before anything is read; return what the charge is to keep.

        What lacks approvals alone becomes a request of the ledger.
        """
        self.check(intended)
        needed = [name for name in (*ADDED_UP, "approval") if name in self.clauses]
        kept = Kept(self, json.loads(json.dumps(asked, default=str)))
        if needed and (ledger is None or dataset is None):
            raise Refused(f"{FORBIDS} [{needed[0]}] is kept by a ledger: charge this to --ledger")
        if needed and ledger is not None:
            spent = intended.epsilon, intended.delta
            ledger.ask(str(dataset), *spent, kept, analyst=analyst, unit=intended.unit)
        return kept

    def check_sums(self, past: Sequence[Mapping[str, Any]], charge: Mapping[str, Any]) -> None:
        """Refuse a charge that exceeds a clause together with those before."""
        charges = [*past, charge]
        whose = {json.dumps(body.get("unit")): body.get("unit") for body in charges}
        units = {(bool(unit.person), unit.added) for unit in map(Unit.decode, whose.values())}
        if "person" in self.clauses and len(units) > 1:
            raise Refused(
                f"{FORBIDS} [person] adds up all releases, and those of rows and of persons, or "
                "for added and for replaced ones, do not add up: keep a ledger for each"
            )
        same = [body for body in charges if body["dataset"] == charge["dataset"]]
        year = [body for body in same if body["time"][:4] == charge["time"][:4]]
        for name, bodies in (("dataset", same), ("year", year), ("person", charges)):
            for key in self._clause(name):
                alike = Counter(body[key] for body in bodies)
                spent = sum((many * Fraction(each) for each, many in alike.items()), Fraction(0))
                self._at_most(name, key, spent, "with what the ledger charged this makes")

    def approvers(self, events: Sequence[Event], request: Event, day: str) -> list[str]:
        """Return which of those who may have approved a request, good for a day."""
        keys = {*approving(events, request, day)}
        return sorted(
            name for name, key in self._clause("approval").get("by", {}).items() if key in keys
        )

    def request_of(self, events: Sequence[Event], charge: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request that lets a charge be made, where approvals are needed; or refuse."""
        if not (clause := self._clause("approval")):
            return {}
        gone, found = used(events), list[tuple[list[str], int]]()
        for event in events:
            asked = event.body["kind"] == "request" and event.number not in gone
            if asked and covers(event.body, charge):
                did = self.approvers(events, event, charge["time"][:10])
                if len(did) >= clause["needed"]:
                    return {"request": event.number}
                found.append((did, event.number))
        did, number = max(found, key=lambda each: len(each[0]), default=([], 0))
        raise Unapproved(
            f"{FORBIDS} [approval] {clause['needed']} of {', '.join(clause['by'])} must approve, "
            f"and {', '.join(did) or 'nobody'} did",
            number,
        )

    def _clause(self, name: str) -> Mapping[str, Any]:
        return self.clauses.get(name, {})

    def _at_most(self, name: str, key: str, asked: Fraction, said: str) -> None:
        most = self._clause(name).get(key)
        if most is not None and asked > most:
            shown = told(asked) if asked.denominator < 10**6 else f"{float(asked):.7g}"
            raise Refused(f"{FORBIDS} [{name}] {key} = {told(most)}, and {said} {shown}")


FORBIDS = "the policy forbids it:"


@dataclass(frozen=True, slots=True)
class Kept:
    """A policy with the question that is asked under it, kept by a ledger while it charges."""

    policy: Policy
    asked: dict[str, Any]

    @property
    def digest(self) -> str:
        """The SHA-256 of the policy."""
        return self.policy.digest

    def __call__(self, events: Sequence[Event], charge: dict[str, Any]) -> dict[str, Any]:
        """Refuse a charge that is too much after these events, or that nobody let be made."""
        self.policy.check_sums([event.body for event in events if charges(event)], charge)
        return self.policy.request_of(events, charge)


def intended(
    epsilon: Exact,
    delta: Exact,
    *,
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    **facts: Any,
) -> Intended:
    """Return what is about to be let out, from what a verb is given."""
    spent = check.nonnegative(epsilon=epsilon), check.nonnegative(delta=delta)
    return Intended(*spent, Unit(person, neighbours), **facts)


def shown(model: Model) -> Intended:
    """Return what a model shows of itself but for its price, which others know."""
    return Intended(
        Fraction(0),
        Fraction(0),
        model.unit,
        (family_of(model.concepts),),
        model.learner,
        bool(model.measured or model.grouped),
        len(model.groups) > 1,
    )


def to_learn(
    concepts: str, learner: str, *, hold_out: Exact | None, by: str | None = None
) -> dict[str, Any]:
    """Return the facts of `intended` for a verb that learns; "auto" may choose any of `CHOSEN`."""
    family = concepts.partition("(")[0].strip()
    return {
        "families": CHOSEN if family == AUTO else (family,),
        "learner": None if learner == AUTO else learner,
        "measured": hold_out is None or check.exact(hold_out=hold_out) > 0,
        "grouped": by is not None,
    }


def request_to_learn(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what those approve who let `learn` be asked this, by whichever way it is asked.

    >>> asked = {"concepts": "auto", "learner": "auto", "labels": ["ill"], "features": None}
    >>> request_to_learn(asked | {"by": None, "hold_out": 0, "weights": {}})["hold_out"]
    '0'
    """
    share = asked.get("hold_out")
    found = {**asked, "class": str(asked["concepts"]), "verb": "learn"}
    found |= {"hold_out": None if share is None else str(share)}
    said = [name for name in SAID if found.get(name)]
    return {name: found.get(name) for name in (*APPROVED, *said)}


def _read(name: str, key: str, value: Any) -> Any:
    """Read the value of a clause: an exact number, a list of names, an integer, yes or no."""
    where = f"[{name}] {key}"
    if name in ("release", *ADDED_UP):
        try:
            return check.nonnegative(**{key: value})
        except TacitError as error:
            raise InvalidArgument(f"{where}: {error}") from None
    if key == "by":
        return _keys(value)
    if key in ("required", "groups", "needed"):
        if type(value) is not (int if key == "needed" else bool):
            kind = "an integer" if key == "needed" else "true or false"
            raise InvalidArgument(f"{where} must be {kind}")
        return value
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidArgument(f"{where} must be a list of names")
    return tuple(value)


def _keys(value: Any) -> dict[str, str]:
    """Read who may approve: names with public keys, nobody under two names or two spellings."""
    if not isinstance(value, dict) or not all(_KEY.fullmatch(str(key)) for key in value.values()):
        raise InvalidArgument(
            "[approval] by must name persons with their public keys, 64 digits each, as in "
            'by = { ada = "..." }; see: tacit key show'
        )
    for alike in (value.values(), [normalize("NFKC", name).casefold().split() for name in value]):
        if len({*map(str, alike)}) < len(value):
            raise InvalidArgument("[approval] by names one person, or one key, twice")
    return dict(value)
