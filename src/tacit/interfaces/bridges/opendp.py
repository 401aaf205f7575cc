"""Ours as OpenDP measurements, with privacy maps; theirs as leaves of our cost tree.

A user of OpenDP composes `learning` and `sanitizing` with measurements of their own; a user of ours
puts `cost_of(measurement)` beside the cost of a learner and asks `price` for the total.

OpenDP hangs a reference to the input on every output that can carry one. Ours are plain
dictionaries, which cannot, so that whoever passes a release on does not pass the table on with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from typing import Any

from tacit.core import Exact, Privacy, check
from tacit.core.cost import Approximate, Cost, Pure, ZeroConcentrated
from tacit.core.errors import InvalidArgument, MissingExtra, TacitError
from tacit.core.numbers.enclosures import exp_upper, log_upper
from tacit.data import Schema
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import open_table
from tacit.workflows import learn, sanitize

Measurement = Any
"""An `opendp.mod.Measurement`; their package carries no types."""

REPLACED = {"ChangeOneDistance": 1, "HammingDistance": 1}
"""How far apart two tables are, by their metric, that differ in one replaced row."""
REMOVED_AND_ADDED = {"SymmetricDistance": 2, "InsertDeleteDistance": 2}


def learning(
    schema: Schema,
    *,
    features: Sequence[str],
    labels: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    **told: Any,
) -> Measurement:
    """Return `tacit.learn` as a measurement: from a table to `Model.encode()`, under replaced rows.

    `told` are the other arguments of `learn`, such as `concepts` and `learner`. Coins are the
    operating system's: a seeded measurement would have a map that is not true.

    Guarantee:
        Two tables that differ in d rows are d steps between neighbours apart, so the map is
        (d ε, d e^((d - 1) ε) δ), rounded up [Vad17 Lemma 2.2]. No ledger is charged: whoever
        composes measurements keeps the account.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> learner = learning(
    ...     schema, concepts="thresholds", features=["age"], labels=["sick"], epsilon="1/2")
    >>> learner.map(1), learner.map(3)
    (0.5, 1.5)
    """
    privacy = _budget(epsilon, delta, told)

    def function(source: Any) -> Any:
        model = learn(
            source,
            schema,
            features=features,
            labels=labels,
            epsilon=epsilon,
            delta=delta,
            **told,
        )
        return model.encode()

    return _measurement(schema, [*features, *labels], privacy, function)


def sanitizing(
    schema: Schema,
    *,
    columns: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    **told: Any,
) -> Measurement:
    """Return `tacit.sanitize` as a measurement: from a table to the columns of a made-up one.

    `told` are the other arguments of `sanitize`; the guarantee is that of `learning`.

    >>> from tacit.data import Bits
    >>> maker = sanitizing(Schema({"sick": Bits()}), columns=["sick"], epsilon=1, delta="1e-9")
    >>> maker.map(1)
    (1.0, 1e-09)
    """
    privacy = _budget(epsilon, delta, told)

    def function(source: Any) -> Any:
        made = sanitize(source, schema, columns=columns, epsilon=epsilon, delta=delta, **told)
        return dict(made.table)

    return _measurement(schema, columns, privacy, function)


def cost_of(measurement: Measurement, *, distance: Any = None, delta: Exact | None = None) -> Cost:
    """Return what an OpenDP measurement costs for one replaced row, as a leaf of our cost tree.

    A metric on tables tells how far a replaced row moves the input: 1 if rows are changed, 2 if
    they are removed and added. For any other metric say the `distance`, the sensitivity of what
    the measurement is given. A measurement with a whole privacy profile is read at one `delta`.

    >>> import opendp.prelude as dp
    >>> dp.enable_features("contrib")
    >>> noise = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0)
    >>> cost_of(noise, distance=1)
    Pure(epsilon=Fraction(1, 2))
    """
    moved = _distance(measurement) if distance is None else distance
    measure, loss = str(measurement.output_measure), measurement.map(moved)
    if measure == "MaxDivergence":
        return Pure(_exact(loss))
    if measure == "ZeroConcentratedDivergence":
        return ZeroConcentrated(_exact(loss))
    if measure == "Approximate(MaxDivergence)":
        return Approximate(*map(_exact, loss))
    if measure == "SmoothedMaxDivergence":
        if delta is None:
            raise InvalidArgument(
                "the measurement has a privacy profile: say at which delta to read it"
            )
        below = _below(check.small_probability(delta=delta))
        return Approximate(_exact(loss.epsilon(below)), below)
    raise InvalidArgument(
        f"a cost in {measure} has no leaf here: convert it to MaxDivergence, "
        "ZeroConcentratedDivergence or SmoothedMaxDivergence with OpenDP's combinators"
    )


def _measurement(
    schema: Schema, columns: Sequence[str], privacy: Privacy, function: Callable[[Any], Any]
) -> Measurement:
    dp = _opendp()
    digest = sha256(schema.dump().encode()).hexdigest()

    def member(source: Any) -> bool:
        try:
            open_table(source, Coding.of(schema, columns))
        except TacitError:
            return False
        return True

    approximate = privacy.delta > 0

    def privacy_map(rows: int) -> Any:
        return _group(privacy, rows) if approximate else _above(privacy.epsilon * rows)

    pure = dp.max_divergence()
    return dp.m.make_user_measurement(
        dp.user_domain(f"tables of the schema {digest} with {list(columns)}", member=member),
        dp.change_one_distance(),
        dp.approximate(pure) if approximate else pure,
        function=function,
        privacy_map=privacy_map,
    )


def _budget(epsilon: Exact, delta: Exact, told: Mapping[str, Any]) -> Privacy:
    if "rng" in told:
        raise InvalidArgument("rng cannot be given: a measurement draws secret coins")
    return Privacy(check.positive(epsilon=epsilon), delta)


def _group(privacy: Privacy, rows: int) -> tuple[float, float]:
    if not rows:
        return 0.0, 0.0
    loss, grown = rows * privacy.epsilon, (rows - 1) * privacy.epsilon
    if grown >= log_upper(1 / privacy.delta):
        return _above(loss), 1.0
    return _above(loss), min(1.0, _above(privacy.delta * rows * exp_upper(grown)))


def _distance(measurement: Measurement) -> int:
    metric = str(measurement.input_metric).removesuffix("()")
    known = REPLACED | REMOVED_AND_ADDED
    if metric not in known:
        raise InvalidArgument(
            f"distance must be given for a measurement over {metric}: "
            "how far one replaced row can move what it is given"
        )
    return known[metric]


def _exact(loss: float) -> Fraction:
    if not math.isfinite(loss):
        raise InvalidArgument("the measurement's privacy loss is not finite: it is not private")
    return Fraction(loss)


def _above(x: Fraction) -> float:
    near = float(x)
    return near if near >= x else math.nextafter(near, math.inf)


def _below(x: Fraction) -> float:
    near = float(x)
    return near if near <= x else math.nextafter(near, 0.0)


def _opendp() -> Any:
    try:
        dp = import_module("opendp.prelude")
    except ImportError:
        raise MissingExtra(package="opendp", extra="opendp") from None
    dp.enable_features("contrib", "honest-but-curious")
    return dp
