"""What is promised of a model's error, and what it cost: for the command and the estimators."""

from __future__ import annotations

from fractions import Fraction

from rich.markup import escape

from tacit.core.errors import TooLarge
from tacit.core.label_privacy import SAID, LabelPrivacy
from tacit.core.numbers.shown import at_most
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS, Unit
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model

LONG = 80
"""Letters of a class that is told in full."""
CONSTANT = {"always": "yes, always", "never": "no, always"}


def decided(rule: str) -> str:
    """Say when the answer is yes; a list of rules says so itself.

    >>> decided("age is at least 65"), decided("never")
    ('yes if age is at least 65', 'no, always')
    """
    return CONSTANT.get(rule, rule if rule.startswith("if ") else f"yes if {rule}")


def promise(model: Model) -> list[str]:
    """Say what is promised, what it needs, and what the learner assumes of the points."""
    if model.accuracy is None:
        told = model.measured or model.grouped
        why = "it was measured" if told else why_nothing(model)
        return [f"Promised: nothing about the error; {why}."]
    alpha, beta = at_most(model.accuracy.alpha), at_most(model.accuracy.beta)
    above = " above the best rule's" if model.agnostic else ""
    many = f", for all {len(model.labels)} labels at once" if len(model.labels) > 1 else ""
    explained = "" if model.agnostic else " and some rule of the class explains them"
    given = explained + if_best(model.best_error, so_far=" and") + if_declared(model)
    assumed = named(model.learner).assumes
    return [
        f"Promised: error at most {alpha}{above}{many}, except with",
        f"probability {beta}, if the {model.unit.many} are independent draws{given}.",
        *([f"It assumes: {assumed}."] if assumed else []),
    ]


def why_nothing(model: Model) -> str:
    """Say why nothing is promised of a model's error."""
    if model.weights:
        return "with weights none is proved"
    if model.weight > 1:
        return "each person gives the mean of all rows, of which no bound is proved"
    return "too few rows, or a learner that never promises"


def each_gives(unit: Unit, weight: int) -> list[str]:
    """Say what each person gives, where persons are protected."""
    if not unit.person:
        return []
    given = "the mean of their rows" if weight > 1 else "one of their rows, drawn"
    return [f"Each person gives as much as any other: {given}. Rows without one are one person's."]


def public_line(model: Model) -> list[str]:
    """Say which rows were taken to be public, if some were: nothing is promised to these."""
    if not model.public:
        return []
    used = "learned from with their labels" if model.public_labelled else "used without labels"
    return [f"Public, and not protected: {model.public} more rows, {used}."]


def if_declared(model: Model) -> str:
    """Say that a promise takes the declared number of records for granted, where it does."""
    if not model.declared:
        return ""
    return f", and there are no fewer than the {model.n} {model.unit.many} that were declared"


def if_best(best_error: Fraction | None, *, so_far: str = ", if") -> str:
    """Say what a promise takes for granted of the best rule, if anything.

    >>> if_best(Fraction(1, 20))
    ', if the best rule errs at most 0.05'
    """
    if best_error is None:
        return ""
    return f"{so_far} the best rule errs at most {float(best_error):g}"


def rules_in_class(model: Model) -> str:
    """Say how many rules there are to choose from; nothing of scorecards, which nobody counts."""
    try:
        size = model.concepts.size
    except TooLarge:
        return ""
    many = str(size) if size < 10**6 else f"about 2^{size.bit_length() - 1}"
    return f", {many} rules"


def class_said(model: Model) -> str:
    """Say what the rule was chosen from: the class, or where its sizes are many, its kind."""
    told, many = str(model.concepts), rules_in_class(model)
    if len(told) > LONG or not many:
        told = told.partition("(")[0] + ("" if many else f" over {len(model.features)} columns")
    return told + many


def privacy_line(
    privacy: Privacy | LabelPrivacy,
    n: int | None,
    *,
    secure: bool,
    of: str = "",
    unit: Unit = ROWS,
) -> str:
    """Say what a release cost; `of` says what more was given. The markup is for a terminal.

    >>> privacy_line(Privacy("1/2", "1e-6"), 90, secure=True)
    'Private: ε = 0.5, δ = 1e-06 for replacing any one of the 90 rows.'
    >>> privacy_line(Privacy(1, "0.1"), 90, secure=True)
    'Private: ε = 1, δ = 0.1 (above 1/n: choose a smaller δ) for replacing any one of the 90 rows.'
    >>> privacy_line(Privacy(1), 90, secure=True, unit=Unit(["patient"]))
    'Private: ε = 1, δ = 0 for replacing all rows of any one of the 90 persons (patient).'
    >>> privacy_line(Privacy(1), None, secure=True, unit=Unit((), "added"))
    'Private: ε = 1, δ = 0 for adding or removing any one row; how many there are is secret.'
    >>> privacy_line(LabelPrivacy(1), 90, secure=True)
    'Labels are protected, features are not: ε = 1 for replacing the labels of any one of 90 rows.'
    """
    if isinstance(privacy, LabelPrivacy):
        return _of_labels(privacy, n or 0, secure=secure, unit=unit)
    cost = f"ε = {at_most(privacy.epsilon, 6)}{of}, δ = {at_most(privacy.delta, 6)}"
    if privacy.delta * (n or 0) > 1:
        cost += " (above 1/n: choose a smaller δ)"
    if not secure:
        return f"[bold red]NOT PRIVATE: the coins were seeded.[/] Secret coins would give {cost}."
    if unit.added:
        whose = escape(unit.whose.replace("one ", "any one ", 1))
        return f"Private: {cost} for adding or removing {whose}; how many there are is secret."
    if unit.person:
        named = escape(", ".join(unit.person))
        return f"Private: {cost} for replacing all rows of any one of the {n} persons ({named})."
    return f"Private: {cost} for replacing any one of the {n} rows."


def _of_labels(privacy: LabelPrivacy, n: int, *, secure: bool, unit: Unit) -> str:
    kept = (
        f"ε = {at_most(privacy.epsilon, 6)} for replacing the labels of any one of {n} {unit.many}."
    )
    if not secure:
        said = f"Secret coins would give, for labels and not for features, {kept}"
        return f"[bold red]NOT PRIVATE: the coins were seeded.[/] {said}"
    return f"{SAID.capitalize()}: {kept}"
