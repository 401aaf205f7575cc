"""A learned predictor with everything that may be told about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Finite
from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Accuracy, InvalidArgument, Privacy, check
from tacit.core.cost import Added, ReleaseCost
from tacit.core.cost_json import decode_cost, encode_cost
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.numbers.shown import at_most, sheet
from tacit.core.unit import ROWS, Unit
from tacit.learners.contract.seal import check_seal, sealed
from tacit.mechanisms.measuring.calibration import Calibration
from tacit.mechanisms.measuring.group_measurement import GroupReading
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import (
    by_group,
    gains,
    measured,
    measured_in_secret,
    sentence,
)

FAMILY = "tacit-model-"
FORMAT = FAMILY + "1"


@dataclass(frozen=True, slots=True)
class Model:
    """One hypothesis for each label, what they cost, and the public context they belong to.

    `concepts` is the class that was learned, `outputs` what the hypotheses belong to: the same for
    a proper learner. `schema` is the text of the declared domains, needed to read another table in
    the same way. `secure` is False when the coins were seeded: reproducible, hence not private.
    The promise holds if the best rule errs at most `best_error`, where that is said. `measured` is
    what rows that were held out of the n told of each hypothesis; empty if none were; `grouped`
    the same in `groups` of those rows, where that was asked. `outcomes`
    names the label columns, with the codes that numbers are cut at, where labels are marks of
    categories or numbers; `why` says why class and learner were chosen, if nobody named them. Where
    labels alone are protected, `privacy` is a `LabelPrivacy`, and there is no cost. `unit` says who
    is protected, whom n counts; persons were learned from by one row each, or with a `weight` by
    the mean of their rows. `public` rows were taken to be public: they have no part in n, and their
    labels were learned from if they are `public_labelled`. Where how many there are is secret, n
    was told with noise, or `declared`; what was measured is then in `groups`, of which all rows may
    be the only one. `weights` say of each label how many false alarms a miss costs, if some are not
    1. What was `measured_later` is not in the cost: it has a record, and a charge, of its own.
    """

    concepts: ConceptClass[Any]
    outputs: HypothesisClass[Any]
    features: tuple[str, ...]
    labels: tuple[str, ...]
    hypotheses: tuple[Concept, ...]
    n: int
    learner: str
    cost: ReleaseCost | None
    privacy: Privacy | LabelPrivacy
    accuracy: Accuracy | None
    agnostic: bool
    secure: bool
    schema: str
    version: str
    best_error: Fraction | None = None
    measured: tuple[Reading, ...] = ()
    outcomes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    why: str = ""
    unit: Unit = ROWS
    weight: int = 1
    groups: tuple[str, ...] = ()
    grouped: tuple[GroupReading, ...] = ()
    public: int = 0
    public_labelled: bool = False
    declared: bool = False
    weights: tuple[Fraction, ...] = ()
    measured_later: bool = False

    @property
    def of_rows(self) -> Privacy:
        """What whole rows are promised; refused where labels alone are protected."""
        if isinstance(self.privacy, LabelPrivacy):
            raise InvalidArgument(f"of this model {SAID}: it has no privacy of rows to show")
        return self.privacy

    def weight_of(self, place: int) -> Fraction:
        """Return how many false alarms a miss of a label costs."""
        return self.weights[place] if self.weights else Fraction(1)

    @property
    def always(self) -> tuple[bool | None, ...]:
        """What each hypothesis answers to every row, if that can be seen from it alone."""
        return tuple(map(self._always, self.hypotheses))

    def _always(self, hypothesis: Concept) -> bool | None:
        if isinstance(hypothesis, Scorecard) and isinstance(self.outputs, Scorecards):
            return hypothesis.always(self.outputs.sizes)
        return {"always": True, "never": False}.get(hypothesis.rule(self.features))

    def said(self, place: int) -> str:
        """Say how good a hypothesis was found."""
        told, always = self.measured[place], self._always(self.hypotheses[place])
        seen = f"{self.unit.tests} it never saw"
        return sentence(told, seen, self.weight_of(place), always=always)

    def gains(self, place: int) -> bool:
        """Whether a hypothesis was found to be surely better than the better constant."""
        always = self._always(self.hypotheses[place])
        return gains(self.measured[place], self.weight_of(place), always=always)

    def _repr_html_(self) -> str:
        """What a notebook shows: how good it was found, whom it protects, and who made it."""
        epsilon, delta = self.privacy.epsilon, getattr(self.privacy, "delta", 0)
        cost = f"ε = {at_most(epsilon, 6)}, δ = {at_most(delta, 6)}, protecting {self.unit.whose}"
        if isinstance(self.privacy, LabelPrivacy):
            cost = f"ε = {at_most(epsilon, 6)}: {SAID}"
        facts = {
            **{self.labels[place]: self.said(place) for place in range(len(self.measured))},
            "private": cost if self.secure else f"NOT PRIVATE, the coins were seeded; else {cost}",
            "learned by": f"{self.learner}, from {self.n} {self.unit.many}",
            **({"chosen": self.why} if self.why else {}),
        }
        return sheet(f"Rules for {', '.join(self.labels)}", facts)

    def predict(self, points: NDArray[Any]) -> NDArray[np.bool_]:
        """Evaluate all hypotheses on coded points: one row a point, one column a label."""
        columns = [hypothesis(points) for hypothesis in self.hypotheses]
        return np.column_stack(columns) if columns else np.zeros((len(points), 0), dtype=np.bool_)

    def scores(self, points: NDArray[Any]) -> NDArray[np.int64]:
        """Return the scores of all hypotheses on coded points: yes is from 0 on."""
        columns = [hypothesis.score(points) for hypothesis in self.hypotheses]
        return np.column_stack(columns) if columns else np.zeros((len(points), 0), dtype=np.int64)

    def risks(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Return for each point and label the share of such rows that had it when measured."""
        if not self.measured:
            raise InvalidArgument(
                "this model was not measured, and risks are read off what was measured: learn with "
                "--hold-out 0.2, or measure it on fresh rows: tacit measure MODEL FILE --out NEW"
            )
        pairs = zip(self.measured, self.scores(points).T, strict=True)
        return np.column_stack([Calibration.of(told).risks(scores) for told, scores in pairs])

    def encode(self, **beside: object) -> dict[str, Any]:
        """Return the JSON object of the model; exact numbers are strings.

        What is told `beside` it, such as its rules in English, is under the same seal.
        """
        promised = self.accuracy and {
            "alpha": str(self.accuracy.alpha),
            "beta": str(self.accuracy.beta),
        }
        of_class = {
            "outputs": str(self.outputs),
            "hypotheses": [self.outputs.encode(h) for h in self.hypotheses],
        }
        carried = self.concepts.carried()
        told = {
            "format": FORMAT,
            "class": str(self.concepts),
            "features": list(self.features),
            "labels": list(self.labels),
            **of_class,
            "n": self.n,
            "learner": self.learner,
            **self._promised(),
            "accuracy": promised,
            "agnostic": self.agnostic,
            "secure": self.secure,
            "schema": self.schema,
            "version": self.version,
        }
        if self.best_error is not None:
            told["best_error"] = str(self.best_error)
        if self.why:
            chosen = {"class": str(self.concepts), "learner": self.learner, "why": self.why}
            told["chosen"] = chosen
        if self.outcomes:
            told["outcomes"] = [{"name": name, "cuts": list(cuts)} for name, cuts in self.outcomes]
        if self.unit != ROWS:
            told["unit"] = {"person": list(self.unit.person), "weight": self.weight}
        if self.public:
            told["public"] = {"rows": self.public, "labelled": self.public_labelled}
        if self.unit.added:
            told |= {"neighbours": str(self.unit.neighbours), "declared": self.declared}
        if self.weights:
            told["weights"] = list(map(str, self.weights))
        if self.measured:
            told["measured"] = measured(self.labels, self.measured, self.weights, self.always)
        if self.measured_later:
            told["measured_later"] = True
        if self.grouped and self.unit.added:
            told["measured"] = measured_in_secret(self.labels, self.grouped)
        if self.grouped:
            told["groups"] = by_group(self.labels, self.groups, self.grouped)
            told["groups_told"] = [each.encode() for each in self.grouped]
        return sealed(told | carried | beside)

    def _promised(self) -> dict[str, Any]:
        match self.cost, self.privacy:
            case None, LabelPrivacy(epsilon):
                told = {"epsilon": str(epsilon), "neighbours": "replace-labels-of-one"}
                return {"cost": None, "privacy": None, "label_privacy": told | {"says": SAID}}
            case cost, Privacy(epsilon, delta) if cost is not None:
                about = "add-or-remove-one" if isinstance(cost, Added) else "replace-one"
                told = {"epsilon": str(epsilon), "delta": str(delta), "neighbours": about}
                return {"cost": encode_cost(cost), "privacy": told}
        raise AssertionError("a model protects rows, for a cost, or labels, without one")

    @classmethod
    def decode(cls, encoded: dict[str, Any]) -> Model:
        """Read back what `encode` wrote; nothing in it is run, and no other file is opened."""
        _check_format(encoded)
        try:
            _check_types(encoded)
            matrix = partial(_carried, encoded.get("matrix"))
            outputs = parse_output(encoded["outputs"], matrix=matrix)
            promised, stated = encoded["accuracy"], encoded.get("best_error")
            labels = encoded.get("label_privacy")
            groups, grouped = _read_groups(encoded)
            read = cls(
                concepts=parse(encoded["class"], matrix=matrix),
                outputs=outputs,
                features=tuple(encoded["features"]),
                labels=tuple(encoded["labels"]),
                hypotheses=tuple(outputs.decode(h) for h in encoded["hypotheses"]),
                n=encoded["n"],
                learner=encoded["learner"],
                cost=None if labels else decode_cost(encoded["cost"]),
                privacy=LabelPrivacy(labels["epsilon"])
                if labels
                else Privacy(encoded["privacy"]["epsilon"], encoded["privacy"]["delta"]),
                accuracy=promised and Accuracy(promised["alpha"], promised["beta"]),
                agnostic=encoded["agnostic"],
                secure=encoded["secure"],
                schema=encoded["schema"],
                version=encoded["version"],
                best_error=None if stated is None else check.exact(best_error=stated),
                measured=_readings(encoded),
                outcomes=_read_outcomes(encoded.get("outcomes", [])),
                why=str(encoded.get("chosen", {}).get("why", "")),
                **_read_unit(encoded.get("unit"), encoded.get("neighbours")),
                groups=groups,
                grouped=grouped,
                **_read_public(encoded.get("public")),
                declared=bool(encoded.get("declared", False)),
                measured_later=encoded.get("measured_later") is True,
                weights=tuple(check.positive(weight=w) for w in encoded.get("weights", ())),
            )
            if read.weights and len(read.weights) != len(read.labels):
                raise InvalidArgument("its weights are not as many as its labels")
            if not read.concepts.features == outputs.features == len(read.features):
                raise InvalidArgument("its features are not as many as its class has")
            if isinstance(read.cost, Added) != read.unit.added:
                raise InvalidArgument("its cost is not one for the neighbours it tells")
            if len(read.hypotheses) != len(read.labels):
                raise InvalidArgument("its labels are not as many as its hypotheses")
        except RecursionError:
            raise InvalidArgument("not a model: its cost is nested too deep") from None
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise InvalidArgument(f"not a model: {error} is missing or malformed") from None
        return read

    def dumps(self, **beside: object) -> str:
        """Return the model as JSON text, which is what its file holds."""
        return json.dumps(self.encode(**beside), indent=1) + "\n"

    @classmethod
    def loads(cls, text: str) -> Model:
        """Read a model from JSON text."""
        try:
            encoded = json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidArgument(f"not a model: line {error.lineno} is no JSON") from None
        except (RecursionError, ValueError):
            raise InvalidArgument(
                "not a model: it is nested too deep, or a number too long"
            ) from None
        return cls.decode(encoded)


def _readings(encoded: dict[str, Any]) -> tuple[Reading, ...]:
    """Read back what was measured of each label, or that nothing was, or in groups alone."""
    if encoded.get("measured") is None or encoded.get("neighbours") is not None:
        return ()
    return tuple(Reading.decode(encoded["measured"][label]["told"]) for label in encoded["labels"])


def _read_groups(encoded: dict[str, Any]) -> tuple[tuple[str, ...], tuple[GroupReading, ...]]:
    """Read back the groups in words, and what was measured of each label in them."""
    if "groups_told" not in encoded:
        return (), ()
    groups = tuple(str(each["group"]) for each in encoded["groups"][encoded["labels"][0]])
    told = tuple(GroupReading.decode(each, len(groups)) for each in encoded["groups_told"])
    if len(told) != len(encoded["labels"]):
        raise InvalidArgument("its groups were not measured for as many labels as it has")
    return groups, told


def _read_outcomes(encoded: list[dict[str, Any]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Read back label columns and their cuts."""
    return tuple(
        (str(each["name"]), tuple(check.count(cut=cut) for cut in each["cuts"])) for each in encoded
    )


def _read_unit(encoded: Any, neighbours: Any) -> dict[str, Any]:
    """Read back who is protected."""
    if encoded is None:
        return {}
    unit = Unit.decode({"person": encoded["person"], "neighbours": neighbours or "replaced"})
    return {"unit": unit, "weight": check.count(weight=encoded["weight"], least=1)}


def _read_public(encoded: Any) -> dict[str, Any]:
    """Read back how many rows were taken to be public."""
    if encoded is None:
        return {}
    rows, labelled = check.count(public=encoded["rows"], least=1), encoded["labelled"]
    if not isinstance(labelled, bool):
        raise InvalidArgument("whether its public rows are labelled must be true or false")
    return {"public": rows, "public_labelled": labelled}


def _check_types(encoded: dict[str, Any]) -> None:
    """Refuse values of another type than the command and the reports count on."""
    for key in ("learner", "schema", "version"):
        if not isinstance(encoded[key], str):
            raise InvalidArgument(f"{key} must be a text")
    for key in ("agnostic", "secure"):
        if not isinstance(encoded[key], bool):
            raise InvalidArgument(f"{key} must be true or false")
    for key in ("features", "labels"):
        names = encoded[key]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InvalidArgument(f"{key} must be a list of names")
        "".join(names).encode()  # half of a surrogate pair is no text, and could not be written
    check.count(n=encoded["n"])


def _carried(rows: Any, source: str) -> Finite:
    """Return the class that a model carries; the file it was read from is only its name."""
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InvalidArgument(
            "it names the file of its class and does not carry the class, and a model opens no "
            "other file: use the version that wrote it, or learn again"
        )
    return Finite([["01".index(bit) for bit in row] for row in rows], source=source)


def _check_format(encoded: Any) -> None:
    if not isinstance(encoded, dict) or not str(encoded.get("format")).startswith(FAMILY):
        raise InvalidArgument(f"not a model: the format must be {FORMAT!r}")
    if encoded["format"] != FORMAT:
        raise InvalidArgument(
            f"the model is of format {encoded['format']!r}, written by tacit "
            f"{encoded.get('version')}; this one reads {FORMAT!r}: use that version"
        )
    try:
        check_seal(encoded)
    except RecursionError:
        raise InvalidArgument("not a model: it is nested too deep") from None
