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
from tacit.core import Accuracy, InvalidArgument, Privacy, check
from tacit.core.cost import Cost
from tacit.core.cost_json import decode_cost, encode_cost
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.seal import check_seal, sealed
from tacit.mechanisms.measuring.calibration import Calibration
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import measured

FAMILY = "tacit-model-"
FORMAT = FAMILY + "1"


@dataclass(frozen=True, slots=True)
class Model:
    """One hypothesis for each label, what they cost, and the public context they belong to.

    `concepts` is the class that was learned, `outputs` what the hypotheses belong to: the same for
    a proper learner. `schema` is the text of the declared domains, needed to read another table in
    the same way. `secure` is False when the coins were seeded: reproducible, hence not private.
    The promise holds if the best rule errs at most `best_error`, where that is said. `measured` is
    what rows that were held out of the n told of each hypothesis; empty if none were. `outcomes`
    names the label columns, with the codes that numbers are cut at, where labels are marks of
    categories or numbers; `why` says why class and learner were chosen, if nobody named them. Where
    labels alone are protected, `privacy` is a `LabelPrivacy`, and there is no cost.
    """

    concepts: ConceptClass[Any]
    outputs: HypothesisClass[Any]
    features: tuple[str, ...]
    labels: tuple[str, ...]
    hypotheses: tuple[Concept, ...]
    n: int
    learner: str
    cost: Cost | None
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

    @property
    def of_rows(self) -> Privacy:
        """What whole rows are promised; refused where labels alone are protected."""
        if isinstance(self.privacy, LabelPrivacy):
            raise InvalidArgument(f"of this model {SAID}: it has no privacy of rows to show")
        return self.privacy

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
        if self.measured:
            told["measured"] = measured(self.labels, self.measured)
        return sealed(told | carried | beside)

    def _promised(self) -> dict[str, Any]:
        match self.cost, self.privacy:
            case None, LabelPrivacy(epsilon):
                told = {"epsilon": str(epsilon), "neighbours": "replace-labels-of-one"}
                return {"cost": None, "privacy": None, "label_privacy": told | {"says": SAID}}
            case cost, Privacy(epsilon, delta) if cost is not None:
                told = {"epsilon": str(epsilon), "delta": str(delta), "neighbours": "replace-one"}
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
                measured=_readings(encoded.get("measured"), encoded["labels"]),
                outcomes=_read_outcomes(encoded.get("outcomes", [])),
                why=str(encoded.get("chosen", {}).get("why", "")),
            )
            if not read.concepts.features == outputs.features == len(read.features):
                raise InvalidArgument("its features are not as many as its class has")
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


def _readings(encoded: Any, labels: list[str]) -> tuple[Reading, ...]:
    """Read back what was measured of each label, or that nothing was."""
    if encoded is None:
        return ()
    return tuple(Reading.decode(encoded[label]["told"]) for label in labels)


def _read_outcomes(encoded: list[dict[str, Any]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Read back label columns and their cuts."""
    return tuple(
        (str(each["name"]), tuple(check.count(cut=cut) for cut in each["cuts"])) for each in encoded
    )


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
