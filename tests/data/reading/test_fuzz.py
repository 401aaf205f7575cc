"""Wild inputs: schemas, models and command lines that nobody would write give no traceback."""

from __future__ import annotations

import json
import string
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TacitError
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.learners.contract.model import Model
from tacit.learners.contract.seal import sealed
from tacit.workflows import describe, learn
from tests.interfaces.cli.test_command import call

SCHEMA = Schema(
    {"age": Integer(0, 120), "bmi": Real(10, 60, "0.5"), "sex": Category(["f", "m"])}
    | {"sick": Bits()}
)
PEOPLE = {"age": [20, 70] * 9, "bmi": [20.5, 30] * 9, "sex": ["f", "m"] * 9, "sick": [0, 1] * 9}
MODEL = learn(
    PEOPLE,
    SCHEMA,
    concepts="rules(width=2, age=40:65)",
    features=["age", "sex"],
    labels=["sick"],
    epsilon=1,
    rng=Seeded(0),
)
WRITTEN = describe(MODEL)

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["1e999999", "-1", "thresholds(bits=4)", "points(bits=9999)", "1/0", "nan"])
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def paths(told: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every part of a JSON value."""
    entries: Any = ()
    if isinstance(told, dict):
        entries = told.items()
    elif isinstance(told, list):
        entries = enumerate(told)
    return [before, *(path for key, part in entries for path in paths(part, (*before, key)))]


def with_part(told: Any, path: tuple[Any, ...], part: Any) -> Any:
    """Return a copy with the part at this path replaced."""
    if not path:
        return part
    copy = dict(told) if isinstance(told, dict) else list(told)
    copy[path[0]] = with_part(told[path[0]], path[1:], part)
    return copy


@settings(max_examples=400)
@given(st.sampled_from(paths(WRITTEN)), anything)
def test_a_model_with_any_part_replaced_is_read_or_refused(path: Any, part: Any) -> None:
    """Also where whoever replaced it has sealed it again."""
    changed = with_part(WRITTEN, path, part)
    with suppress(InvalidArgument):
        read = Model.loads(json.dumps(changed))
        assert read == MODEL
    if isinstance(changed, dict):
        with suppress(TacitError):
            Model.loads(json.dumps(sealed(changed))).encode()


@pytest.mark.parametrize("path", [path for path in paths(WRITTEN) if path], ids=str)
def test_a_change_of_any_part_is_noticed(path: tuple[Any, ...]) -> None:
    changed = with_part(WRITTEN, path, "changed")
    with pytest.raises(InvalidArgument, match=r"changed after it was written|not a model|format"):
        Model.loads(json.dumps(changed))


def test_a_model_of_a_newer_version_is_refused_with_the_reason() -> None:
    newer = sealed(WRITTEN | {"format": "tacit-model-2", "version": "9.1"})
    with pytest.raises(InvalidArgument, match=r"tacit-model-2.*written by tacit 9\.1"):
        Model.loads(json.dumps(newer))


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 5000, "{", "NaN", "\ud800", "nul"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="not a model"):
        Model.loads(text)


@settings(max_examples=300)
@given(st.text(alphabet=string.printable, max_size=60), st.integers(0, 400), st.integers(0, 40))
def test_any_text_is_a_schema_or_refused(text: str, place: int, cut: int) -> None:
    right = SCHEMA.dump()
    for tried in (text, right[:place] + text + right[place + cut :]):
        with suppress(TacitError):
            assert Schema.parse(Schema.parse(tried).dump()) == Schema.parse(tried)


VALUES = """0 -1 1e400 1e-400 nan inf 1/3 é age sick people.csv schema.toml none thresholds *.csv
    thresholds(bits=4) points(bits=-1) points(bits=1e9) rules(width=99) [red] ../people.csv
    model.json generic prior stable-point parity 0.05 0.5 3 - 99999999999999999999 age,age sick,age
    conjunctions(width=2) thresholds() matrix(people.csv) histogram age=40:65 . /dev/null"""
OPTIONS = """--epsilon --delta --alpha --beta --n --labels --features --schema --class --learner
    --out --json --agnostic --report --dataset --seed --columns --queries --rows --table --ledger"""
LINES = [
    line.split()
    for line in (
        "plan thresholds(bits=8) --alpha 0.1 --epsilon 1",
        "plan points(bits=8) --n 500 --epsilon 1 --delta 1e-6 --labels 2",
        "learn people.csv --schema schema.toml --features age --labels sick --epsilon 1",
        (
            "learn people.csv --schema schema.toml --features age,sex --labels sick --epsilon 1"
            " --class rules(width=1,age=40) --report r.md --seed 1"
        ),
        "predict model.json people.csv --out p.csv",
        "sql model.json --table people",
        "sanitize people.csv --schema schema.toml --columns sex,sick --epsilon 1 --out s.csv",
        "schema check schema.toml people.csv",
        "schema template people.csv",
        "ledger init l.db",
        "ledger grant l.db --dataset d --schema schema.toml --epsilon 1",
        "ledger show l.db",
        "learners --json",
        "audit exponential --epsilon 2",
        "dims thresholds(bits=2) --json",
    )
]
value = st.sampled_from(VALUES.split()) | st.text(max_size=5)
option = st.sampled_from(OPTIONS.split())


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Return a good command line with a few of its words replaced, dropped or put in."""
    words = list(draw(st.sampled_from(LINES)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(1, len(words)))
        words[place : place + draw(st.integers(0, 1))] = draw(
            st.lists(value | option, min_size=0, max_size=2)
        )
    return [word for word in words if "\0" not in word]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(*PEOPLE.values(), strict=True)
    lines = [",".join(PEOPLE), *(",".join(map(str, row)) for row in rows)]
    Path("people.csv").write_text("\n".join(lines) + "\n")
    Path("schema.toml").write_text(SCHEMA.dump())
    Path("model.json").write_text(json.dumps(WRITTEN))
    return tmp_path


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(command_lines())
def test_any_command_line_is_done_or_refused(folder: Path, words: list[str]) -> None:
    """Status 2 for a bad request, 3 for a refusal, with a line that says why; never a traceback."""
    done = call(*words)
    assert done.returncode in (0, 2, 3)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or done.stderr.strip() or "Usage" in done.stdout
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]
