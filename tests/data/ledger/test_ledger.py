"""The ledger: sums that hold for any choice of costs, killed processes, tampering, the command."""

from __future__ import annotations

import json
import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchmarks.storm import EACH, storm
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.randomness import System
from tacit.core.composition import delta_of_rho, price
from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Cost,
    Gaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Integer, Schema
from tacit.data.ledger import (
    Account,
    Cap,
    Ledger,
    Spent,
    balances,
    lock,
    replay,
    verify_ledger,
    verify_lines,
)
from tacit.data.ledger.balances import Balances
from tacit.data.ledger.chain import START, Event, canonical, follow
from tacit.data.ledger.store import alone
from tacit.workflows import learn
from tests.interfaces.cli.test_command import call
from tests.support.processes import started

SCHEMA = Schema({"age": Integer(0, 120), "sick": Bits()})
OTHER = Schema({"age": Integer(0, 99), "sick": Bits()})
F = Fraction


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger.create(tmp_path / "budget.db")
    made.grant("patients", SCHEMA, Cap(2, "1e-5"))
    return made


def spend(ledger: Ledger, cost: Cost, delta: object = 0, analyst: str = "") -> str:
    return ledger.reserve("patients", SCHEMA, cost, delta, analyst=analyst)


def total(ledger: Ledger) -> Spent:
    return ledger.datasets()[0].account.total


# --- sums ---------------------------------------------------------------------------------------


def test_a_charge_in_both_currencies() -> None:
    tree = Sequential(Repeat(Pure("0.1"), 3), Approximate("0.2", "1e-7"), ZeroConcentrated("0.01"))
    spent = Spent.of(tree, "1e-6")
    assert spent.epsilon == price(tree, "1e-6").privacy.epsilon
    assert spent.delta == F(1, 10**6)
    assert spent.rho == 3 * F(1, 200) + F(1, 50) + F(1, 100)
    assert spent.leak == F(1, 10**7)
    parted = Spent.of(Parallel(Approximate(1, "1e-9"), Approximate("0.5", "1e-7")), "1e-6")
    assert (parted.rho, parted.leak) == (F(1, 2), F(1, 10**7))
    thrice = Spent.of(Repeat(Approximate("0.1", "1e-8"), 3), "1e-6")
    assert (thrice.rho, thrice.leak) == (F(3, 200), F(3, 10**8))
    both = Spent.of(Sequential(Approximate("0.1", "1e-8"), Approximate("0.1", "1e-9")), "1e-6")
    assert (both.rho, both.leak) == (F(1, 100), F(11, 10**9))
    sampled = Subsample(Pure(1), 10, 100)
    for cost in (sampled, Sequential(Pure("0.1"), sampled), Repeat(sampled, 2), Parallel(sampled)):
        drawn = Spent.of(cost, 0)
        assert 0 <= drawn.rho - drawn.epsilon**2 / 2 < F(1, 10**36)
    assert Spent.of(Gaussian(4), "1e-6").rho == F(1, 8)


@given(st.lists(st.fractions(F(1, 1000), 2), max_size=8))
def test_sums_are_rounded_up_and_by_little(epsilons: list[Fraction]) -> None:
    spent = sum((Spent.of(Pure(e)) for e in epsilons), start=Spent())
    assert sum(epsilons) <= spent.epsilon <= sum(epsilons) + len(epsilons) * F(1, 10**36)


def test_any_fraction_is_spent_to_the_end_and_sums_stay_short(ledger: Ledger) -> None:
    ledger.grant("patients", SCHEMA, Cap(F(1, 17)))
    spend(ledger, Pure(F(1, 34)))
    spend(ledger, Pure(F(1, 34)))
    with pytest.raises(Refused):
        spend(ledger, Pure(F(1, 10**30)))
    verify_ledger(ledger)
    account, exact = Account({"": Cap(10)}), F(0)
    for odd in range(10**6 + 1, 10**6 + 101, 2):
        account.add("", Spent.of(Pure(F(1, odd))))
        exact += F(1, odd)
        assert account.total.epsilon.denominator < 10**80
        assert exact <= account.total.epsilon < exact + F(1, 10**38)


def test_thirds_fill_a_cap_exactly() -> None:
    third = Spent.of(Pure("1/3"))
    assert Cap(1).allows(third + third + third)
    assert not Cap(1).allows(third + third + third + Spent.of(Pure("1e-9")))


def test_a_cap_is_of_epsilon_and_of_delta() -> None:
    micro = F(1, 10**6)
    assert Cap(1, micro).allows(Spent(F(1), micro))
    assert not Cap(1, micro).allows(Spent(F(1), 2 * micro))
    assert not Cap(1, micro).allows(Spent(F(2), micro))
    assert not Cap(1).allows(Spent(F(1, 2), micro))


@pytest.mark.parametrize("name", ["epsilon", "delta", "rho", "leak"])
def test_a_charge_covers_what_is_due_in_every_number(name: str) -> None:
    due = Spent(F(1), F(1, 10**6), F(1, 2), F(1, 10**7))
    assert replay._covers(due, due)
    assert not replay._covers(replace(due, **{name: getattr(due, name) / 2}), due)


def test_pricing_the_whole_tree_would_not_keep_the_cap() -> None:
    """Choose the second cost by the first answer: each tree is within the cap, the choice not."""
    first, one, ten = 0.25, 1.976, 0.4368
    for tree in (
        Sequential(Pure(first), Pure(one)),
        Sequential(Pure(first), Repeat(Pure(ten), 10)),
    ):
        assert price(tree, "0.1").privacy.epsilon <= 2, "price would let it pass"
    bad = math.exp(first) / (1 + math.exp(first))
    found = bad * _responses(1, one, 2 - first) + (1 - bad) * _responses(10, ten, 2 + first)
    assert found == pytest.approx(0.1338, abs=1e-4)
    for accounting in ("basic", "concentrated"):
        account = Account({"": Cap(2, "0.1", accounting)})
        account.add("", Spent.of(Pure(first)))
        with pytest.raises(Refused):
            account.admit("", Spent.of(Repeat(Pure(ten), 10)))


def _responses(times: int, loss: float, x: float) -> float:
    """Return delta at epsilon x of randomised responses, from their binomial law."""
    p = math.exp(loss) / (1 + math.exp(loss))
    return sum(
        math.comb(times, k) * p**k * (1 - p) ** (times - k) * max(0.0, 1 - math.exp(x - total))
        for k in range(times + 1)
        for total in [(2 * k - times) * loss]
    )


def test_concentrated_rates_are_kept_below_what_converts() -> None:
    cap = Cap(1, "1e-6", "concentrated")
    assert delta_of_rho(cap.rho, F(1)) <= F(1, 2 * 10**6)
    assert delta_of_rho(cap.rho * F(101, 100), F(1)) > F(1, 2 * 10**6)
    assert cap.allows(Spent(F(9), F(1, 10**6), cap.rho, F(1, 2 * 10**6)))
    assert not cap.allows(Spent(F(9), F(1, 10**6), cap.rho + F(1, 10**9), F(0)))
    assert not cap.allows(Spent(F(9), F(1, 10**6), F(0), F(6, 10**7)))
    assert cap.allows(Spent(F(1), F(0), F(9), F(0))), "pure releases that add up to epsilon"
    assert not cap.allows(Spent(F(1), F(1, 10**9), F(9), F(0)))


@pytest.mark.parametrize(
    "arguments", [(0,), (-1,), ("nan",), (1, 1), (1, 0, "concentrated"), (1, 0, "renyi")]
)
def test_bad_caps(arguments: tuple[object, ...]) -> None:
    with pytest.raises(InvalidArgument):
        Cap(*arguments)


# --- the file -----------------------------------------------------------------------------------


def test_what_is_reserved_counts_whether_or_not_it_is_committed(ledger: Ledger) -> None:
    first = spend(ledger, Pure(1))
    spend(ledger, Pure(1))
    assert total(ledger).epsilon == 2
    with pytest.raises(Refused, match=r"budget of the data set is ε = 2, .*ε = 2, δ = 0 is spent"):
        spend(ledger, Pure("1e-9"))
    ledger.commit(first)
    assert total(ledger).epsilon == 2
    for done in (first, "unknown"):
        with pytest.raises(InvalidArgument, match="no open reservation"):
            ledger.commit(done)
    assert verify_ledger(ledger).accounts[ledger.datasets()[0].digest].total == total(ledger)


def test_a_release_that_was_drawn_is_not_given_back(ledger: Ledger) -> None:
    """Whoever can write the folder can delete the note that it is out, and nothing else follows."""
    with ledger.charging("patients", SCHEMA) as charge:
        charge(Pure(1))
    ledger.path.with_name("budget.db.done").unlink()
    (patients,) = ledger.datasets()
    assert (patients.account.total.epsilon, patients.pending) == (1, 1)
    assert not hasattr(ledger, "cancel")
    (reserved,) = verify_ledger(ledger).pending
    lines = [event.line for event in ledger.events()]
    body = {"kind": "cancel", "time": "9999-01-01T00:00:00+00:00", "id": reserved}
    head = json.loads(lines[-1])["hash"]
    forged = Event(len(lines) + 1, body, follow(head, canonical(body)))
    with pytest.raises(InvalidArgument, match="nothing of the kind 'cancel' happens here"):
        verify_lines([*lines, forged.line])


def test_nothing_is_committed_if_one_of_several_is_unknown(ledger: Ledger) -> None:
    first = spend(ledger, Pure("0.5"))
    with pytest.raises(InvalidArgument, match="no open reservation 'unknown'"):
        ledger.commit(first, "unknown")
    assert ledger.datasets()[0].pending == 1
    ledger.grant("visits", SCHEMA, Cap(1))
    assert [known.pending for known in ledger.datasets()] == [1, 0], "each has its own"


def test_a_purpose_is_kept_by_its_beginning(ledger: Ledger) -> None:
    ledger.reserve("patients", SCHEMA, Pure(1), purpose="why " * 10**5)
    assert ledger.events()[-1].body["purpose"] == "why " * 500


def test_an_error_between_reserve_and_commit_counts(ledger: Ledger) -> None:
    def lose_power() -> None:
        with ledger.charging("patients", SCHEMA) as charge:
            charge(Pure(1))
            raise RuntimeError("power")

    with pytest.raises(RuntimeError, match="power"):
        lose_power()
    (patients,) = ledger.datasets()
    assert (patients.account.total.epsilon, patients.pending) == (1, 1)


def test_what_a_power_cut_leaves_of_a_note_is_harmless(ledger: Ledger) -> None:
    kept, lost = spend(ledger, Pure("0.5")), spend(ledger, Pure("0.5"))
    ledger.commit(kept)
    notes = ledger.path.with_name("budget.db.done")
    notes.write_bytes(notes.read_bytes() * 2 + lost[:9].encode() + b"\x00\xff\n" + b"unknown")
    assert ledger.datasets()[0].pending == 1
    assert total(ledger).epsilon == 1
    assert not notes.exists()
    assert verify_ledger(ledger).pending.keys() == {lost}


def test_analysts_have_caps_within_the_cap(ledger: Ledger) -> None:
    ledger.grant("patients", SCHEMA, Cap(1), analyst="ada")
    ledger.grant("patients", SCHEMA, Cap("1.5"), analyst="bob")
    spend(ledger, Pure(1), analyst="ada")
    with pytest.raises(Refused, match="budget of analyst 'ada'"):
        spend(ledger, Pure("0.1"), analyst="ada")
    with pytest.raises(Refused, match="budget of the data set"):
        spend(ledger, Pure("1.5"), analyst="bob")
    spend(ledger, Pure(1), analyst="bob")
    with pytest.raises(Refused, match="granted to analysts, and no analyst is named"):
        spend(ledger, Pure("0.1"))
    with pytest.raises(Refused, match="'eve' was granted nothing"):
        spend(ledger, Pure("0.1"), analyst="eve")
    with pytest.raises(Refused, match="'eve' was granted nothing"):
        ledger.charging("patients", SCHEMA, "eve").__enter__()
    verify_ledger(ledger)


def test_a_name_has_one_budget_whatever_the_schema(ledger: Ledger) -> None:
    with pytest.raises(Refused, match="'patients' was granted no budget for this schema"):
        ledger.reserve("patients", OTHER, Pure(1))
    with pytest.raises(Refused, match="'doctors' was granted no budget;"):
        ledger.reserve("doctors", SCHEMA, Pure(1))
    spend(ledger, Pure(1))
    ledger.grant("patients", OTHER, Cap(2))
    ledger.reserve("patients", OTHER, Pure(1))
    assert total(ledger).epsilon == 2
    with pytest.raises(Refused):
        spend(ledger, Pure("0.1"))
    verify_ledger(ledger)


def test_a_data_set_is_known_by_a_key_of_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger.create(tmp_path / "other.db")
    other.grant("patients", SCHEMA, Cap(2, "1e-5"))
    assert other.datasets()[0].digest != ledger.datasets()[0].digest
    told = "\n".join(event.line for event in ledger.events())
    assert "patients" not in told
    assert SCHEMA.digest not in told


def test_a_ledger_that_lost_its_key_says_so(ledger: Ledger) -> None:
    changed(ledger, "DELETE FROM secret")
    for spends in (ledger.grant, ledger.reserve):
        with pytest.raises(InvalidArgument, match="lost its key"):
            spends("patients", SCHEMA, *((Cap(9),) if spends == ledger.grant else (Pure(1), 0)))


def test_a_data_set_that_points_to_another_budget_shows(ledger: Ledger) -> None:
    ledger.grant("visits", SCHEMA, Cap(9))
    verify_ledger(ledger)
    changed(ledger, "UPDATE identity SET account = (SELECT max(account) FROM dataset)")
    with pytest.raises(InvalidArgument, match="not those that the events admit"):
        verify_ledger(ledger)


def test_durable_settings(ledger: Ledger) -> None:
    with alone(ledger.path) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert file.execute("PRAGMA synchronous").fetchone() == (3,)


def changed(ledger: Ledger, *changes: str) -> None:
    """Change the file as somebody would who has no use for tacit."""
    with closing(sqlite3.connect(ledger.path)) as file:
        for change in changes:
            file.execute(change)
        file.commit()


def test_processes_killed_at_any_moment(tmp_path: Path) -> None:
    cap = F(95, 1000)
    fire = storm(tmp_path, processes=4, charges=25, kills=20, cap=cap)
    assert fire.kills >= 15
    assert fire.released * EACH.epsilon <= fire.spent.epsilon <= cap
    assert fire.spent.epsilon == cap, "four processes want more than the cap: all of it is spent"
    assert fire.recorded.pending, "some were killed between reserving and committing"


def test_commands_killed_while_they_release() -> None:
    """Nothing that drew a coin is left uncharged, and no model is there in part."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.release_storm", "16"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("16 processes killed while they released")


# --- tampering ----------------------------------------------------------------------------------


def used(ledger: Ledger) -> list[str]:
    ledger.commit(spend(ledger, Pure(1)))
    ledger.commit(spend(ledger, BoundedRange("0.5"), "1e-6"))
    spend(ledger, Approximate("0.25", "1e-6"), "1e-6")
    return [event.line for event in ledger.events()]


def test_an_export_is_verified_without_the_ledger(ledger: Ledger) -> None:
    lines = used(ledger)
    replay = verify_lines(lines)
    assert replay.count == len(lines)
    assert len(replay.pending) == 1
    (account,) = replay.accounts.values()
    assert account == ledger.datasets()[0].account
    assert verify_lines(lines, since=lines[:4]).head == replay.head


def test_every_changed_byte_of_an_export_shows(ledger: Ledger) -> None:
    lines = used(ledger)
    for number, line in enumerate(lines):
        for place in range(0, len(line), 7):
            changed = line[:place] + ("x" if line[place] != "x" else "y") + line[place + 1 :]
            with pytest.raises(InvalidArgument):
                verify_lines([*lines[:number], changed, *lines[number + 1 :]])
        with pytest.raises(InvalidArgument):
            verify_lines([*lines[:number], *lines[number + 1 :]], since=lines)


def test_a_chain_that_was_made_anew_shows_beside_an_older_export(
    ledger: Ledger, tmp_path: Path
) -> None:
    lines = used(ledger)
    forged = Ledger.create(tmp_path / "forged.db")
    forged.grant("patients", SCHEMA, Cap(2, "1e-5"))
    again = used(forged)
    verify_lines(again)
    with pytest.raises(InvalidArgument, match="event 1 differs from the older export"):
        verify_lines(again, since=lines)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('UPDATE spent SET body = replace(body, \'"epsilon":"\', \'"epsilon":"-\')', "balances"),
        ("UPDATE spent SET body = 'x'", "damaged balance"),
        ('UPDATE spent SET body = \'{"epsilon": "1/0"}\'', "damaged balance"),
        ("UPDATE spent SET body = x'ff'", "damaged balance"),
        ("UPDATE spent SET body = '7'", "damaged balance"),
        ("DELETE FROM spent", "balances"),
        ("UPDATE cap SET body = replace(body, '\"2\"', '\"20\"')", "balances"),
        ("DELETE FROM cap", "balances"),
        ("DELETE FROM pending", "open reservations"),
        ("DELETE FROM seal", "not those that tacit wrote"),
        ("UPDATE seal SET mac = ''", "not those that tacit wrote"),
        ("UPDATE dataset SET name = 'visits'", "not those that tacit wrote"),
        ("UPDATE identity SET account = 'visits'", "not those that the events admit"),
        ("UPDATE event SET body = replace(body, 'reserve', 'cancel')", "was changed"),
        ("UPDATE event SET body = 'x'", "damaged event"),
        ("DELETE FROM event WHERE number = 3", "events are missing"),
        ("DELETE FROM event WHERE number = 8", "open reservations|balances|tacit wrote"),
        ("UPDATE event SET body = replace(body, '\"1\"', '\"0\"')", "was changed"),
    ],
)
def test_a_changed_file_shows_and_spends_nothing(ledger: Ledger, change: str, words: str) -> None:
    used(ledger)
    if " event " in change:
        with pytest.raises(sqlite3.IntegrityError, match="what happened stays"):
            changed(ledger, change)
        changed(ledger, "DROP TRIGGER no_DELETE", "DROP TRIGGER no_UPDATE")
    changed(ledger, change)
    with pytest.raises(InvalidArgument, match=words):
        verify_ledger(ledger)
    if " event " in change and "number = 8" not in change:
        return  # what happened long ago is not looked at again by a charge
    for spends in (
        lambda: spend(ledger, Pure("0.01")),
        lambda: ledger.grant("patients", SCHEMA, Cap(9)),
        ledger.datasets,
        ledger.events,
        lambda: ledger.charging("patients", SCHEMA).__enter__(),
    ):
        with pytest.raises(InvalidArgument, match="not those that tacit wrote"):
            spends()


def test_balances_under_a_forged_seal_are_no_traceback(ledger: Ledger) -> None:
    used(ledger)
    with alone(ledger.path) as file:
        file.execute("UPDATE spent SET body = '[]'")
        balances.seal(file.file, Balances.read(file.file))
    for looks in (
        ledger.datasets,
        lambda: spend(ledger, Pure("0.01")),
        lambda: verify_ledger(ledger),
    ):
        with pytest.raises(InvalidArgument, match="damaged balance"):
            looks()


def test_an_undercharge_in_a_whole_chain_shows(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Spent, "of", classmethod(lambda cls, *_: cls(F(1, 10))))
        spend(ledger, Pure(1))
    with pytest.raises(InvalidArgument, match="not what the cost comes to"):
        verify_ledger(ledger)


def chained(bodies: list[dict[str, Any]]) -> list[str]:
    lines, before = [], START
    for number, body in enumerate(bodies, start=1):
        before = follow(before, canonical(body))
        lines.append(Event(number, body, before).line)
    return lines


def test_what_cannot_have_happened_shows_in_a_whole_chain(ledger: Ledger) -> None:
    """No second beginning and no step back to the format in which reservations were given back."""
    spend(ledger, Pure(1))
    bodies = [event.body for event in ledger.events()]
    assert verify_lines(chained(bodies)).count == len(bodies)
    first, last = bodies[0], bodies[-1]
    cancel = {"kind": "cancel", "id": last["id"]}
    for more in (
        [{"kind": "init", "version": "0.1.0", "id": first["id"]}, cancel],
        [{"kind": "upgrade", "format": 1}, cancel],
        [{"kind": "upgrade", "format": 2}],
        [cancel],
        [{"kind": "commit", "id": "unknown"}],
        [last, last],
        [last | {"analyst": "eve", "epsilon": "1/2"}],
        *(
            [last | {"epsilon": text}]
            for text in ("1/0", "1e400", "1e999999999", "-1", 1, "9" * 900)
        ),
    ):
        with pytest.raises(InvalidArgument, match="cannot have happened"):
            verify_lines(chained([*bodies, *more]))


def test_a_charge_beyond_all_floats_is_refused_in_words(ledger: Ledger) -> None:
    with (
        pytest.raises(Refused, match="more than 1e"),
        ledger.charging("patients", SCHEMA) as charge,
    ):
        charge(Pure("2e400"))


def test_what_is_no_ledger_is_refused(tmp_path: Path, ledger: Ledger) -> None:
    with pytest.raises(InvalidArgument, match="tacit ledger init"):
        Ledger(tmp_path / "none.db").datasets()
    (tmp_path / "text.db").write_text("hello " * 1000)
    with pytest.raises(InvalidArgument, match="is not a ledger"):
        Ledger(tmp_path / "text.db").datasets()
    assert not (tmp_path / "text.db.lock").exists()
    (tmp_path / "text.db.lock").write_text("of somebody else")
    with pytest.raises(InvalidArgument, match="is not a ledger"):
        Ledger(tmp_path / "text.db").datasets()
    assert (tmp_path / "text.db.lock").read_text() == "of somebody else"
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(InvalidArgument, match="is not a ledger"):
        Ledger(tmp_path / "other.db").datasets()
    with pytest.raises(InvalidArgument, match="exists already"):
        Ledger.create(ledger.path)
    newer = sqlite3.connect(ledger.path)
    newer.execute("PRAGMA user_version = 9")
    newer.close()
    with pytest.raises(InvalidArgument, match="format 9, this version of tacit reads 2"):
        ledger.datasets()


# --- formats, rights and locks --------------------------------------------------------------------


def test_a_ledger_of_0_1_0_is_taken_over(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "old.db")
    with closing(sqlite3.connect(ledger.path)) as file:
        file.executescript(Path(__file__).with_name("ledger_0_1_0.sql").read_text())
    assert total(ledger) == Spent(F(11, 8), F(1, 10**6), F(69, 128), F(1, 10**6))
    spend(ledger, Pure("1/8"))
    assert total(ledger).epsilon == F(3, 2)
    kinds = [event.body["kind"] for event in ledger.events()]
    assert kinds.count("cancel") == 1, "what was given back before stays so"
    assert kinds[10:] == ["upgrade", "reserve"]
    assert verify_ledger(ledger).format == 2


@pytest.mark.parametrize("change", ["DELETE FROM spent", "UPDATE spent SET body = 'x'"])
def test_a_ledger_of_0_1_0_whose_balances_are_wrong_is_not_taken_over(
    tmp_path: Path, change: str
) -> None:
    ledger = Ledger(tmp_path / "old.db")
    with closing(sqlite3.connect(ledger.path)) as file:
        file.executescript(Path(__file__).with_name("ledger_0_1_0.sql").read_text())
    changed(ledger, change)
    with pytest.raises(InvalidArgument, match="balance"):
        spend(ledger, Pure(1))


def rights(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in sorted(folder.iterdir())}


def test_only_the_owner_may_open_a_ledger_and_what_is_beside_it(tmp_path: Path) -> None:
    ledger = Ledger.create(tmp_path / "budget.db")
    ledger.grant("patients", SCHEMA, Cap(2, "1e-5"))
    ledger.commit(spend(ledger, Pure(1)))
    with alone(ledger.path) as file:
        file.execute("CREATE TABLE t (x)")
        journalled = rights(tmp_path)
    beside = {"budget.db", "budget.db-journal", "budget.db.done", "budget.db.lock"}
    assert journalled == dict.fromkeys(sorted(beside), "0o600")
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    ledger.commit(spend(ledger, Pure("0.5")))
    assert set(rights(tmp_path).values()) == {"0o600"}
    ledger.path.chmod(0o640)
    ledger.commit(spend(ledger, Pure("0.25")))
    assert set(rights(tmp_path).values()) == {"0o600"}, "a group that may only read is not let in"


def test_a_group_that_may_write_a_ledger_was_let_in(ledger: Ledger, tmp_path: Path) -> None:
    ledger.path.chmod(0o664)
    ledger.commit(spend(ledger, Pure("0.5")))
    assert set(rights(tmp_path).values()) == {"0o660"}


def test_a_link_in_the_place_of_a_lock_is_not_followed(ledger: Ledger, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for name in ("budget.db.lock", "budget.db.done"):
        ledger.path.with_name(name).unlink(missing_ok=True)
    ledger.path.with_name("budget.db.lock").symlink_to(other)
    with pytest.raises(InvalidArgument, match="cannot be used"):
        ledger.datasets()
    assert not other.exists()


HOLD = """
import fcntl, sys
lock = open(sys.argv[1], "a+b")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_that_is_never_let_go_is_named(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    beside = ledger.path.with_name("budget.db.lock")
    command = [sys.executable, "-c", HOLD, str(beside)]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == "held\n"
        for looks in (
            ledger.datasets,
            lambda: spend(ledger, Pure(1)),
            lambda: verify_ledger(ledger),
        ):
            with pytest.raises(Refused, match=r"held the lock .*budget\.db\.lock .*nothing was"):
                looks()
    assert total(ledger) == Spent()


# --- learning, and the command ------------------------------------------------------------------


def people() -> dict[str, list[int]]:
    return {"age": list(range(20, 100)) * 5, "sick": [int(a >= 65) for a in range(20, 100)] * 5}


def test_nothing_is_drawn_when_the_ledger_refuses(ledger: Ledger) -> None:
    class Untouched(System):
        def _take(self, size: int) -> bytes:
            raise AssertionError("a coin was drawn")

    asked = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"], "epsilon": 3}
    with (
        pytest.raises(Refused, match="would cost ε = 3"),
        ledger.charging("patients", SCHEMA) as charge,
    ):
        learn(people(), SCHEMA, **asked, rng=Untouched(), charge=charge)
    assert total(ledger) == Spent()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(*people().values(), strict=True)
    Path("p.csv").write_text("age,sick\n" + "".join(f"{a},{s}\n" for a, s in rows))
    Path("s.toml").write_text(SCHEMA.dump())
    assert call("ledger", "init", "b.db").returncode == 0
    granted = call("ledger", "grant", "b.db", *NAMED, "--schema", "s.toml", "--epsilon", "1.5")
    assert granted.stdout == "The cap of data set 'patients' is ε = 1.5, δ = 0\n"
    return tmp_path


NAMED = ("--dataset", "patients")
ASKED = ("--schema", "s.toml", "--features", "age", "--labels", "sick", "--epsilon", "1")
LEARN = ["learn", "p.csv", *ASKED, "--out", "m.json"]
GRANT = ["ledger", "grant", "b.db", "--schema", "s.toml", "--epsilon"]


def test_learning_is_charged_and_refused_with_three(folder: Path) -> None:
    assert call(*LEARN, "--ledger", "b.db", *NAMED).returncode == 0
    first = Path("m.json").read_text()
    refused = call(*LEARN, "--ledger", "b.db", *NAMED)
    assert refused.returncode == 3
    assert "of which ε = 1, δ = 0 is spent; this release would cost ε = 1" in refused.stderr
    assert not refused.stdout
    assert Path("m.json").read_text() == first
    shown = json.loads(call("ledger", "show", "b.db", "--json").stdout)["datasets"]
    assert [(each["name"], each["spent"]["epsilon"]) for each in shown] == [("patients", "1")]
    assert "all together  1.5    1" in call("ledger", "show", "b.db").stdout
    assert call("ledger", "export", "b.db", "--out", "e.jsonl").returncode == 0
    assert call("ledger", "export", "b.db").stdout == Path("e.jsonl").read_text()
    kinds = [json.loads(line)["event"]["kind"] for line in Path("e.jsonl").read_text().splitlines()]
    assert kinds == ["init", "admit", "grant", "reserve", "commit"]
    for file in ("b.db", "e.jsonl"):
        done = call("ledger", "verify", file, "--since", "e.jsonl", "--json")
        assert json.loads(done.stdout)["events"] == 5


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([*LEARN, "--ledger", "b.db"], 2, "--ledger needs --dataset"),
        ([*LEARN, *NAMED], 2, "give --ledger"),
        ([*LEARN, "--analyst", "ada"], 2, "give --ledger"),
        ([*LEARN, "--ledger", "none.db", *NAMED], 2, "there is no ledger none.db"),
        ([*LEARN, "--ledger", "p.csv", *NAMED], 2, "not a ledger"),
        ([*LEARN, "--ledger", "b.db", *NAMED, "--seed", "1"], 2, "NOT private"),
        ([*LEARN[:-1], "b.db", "--ledger", "b.db", *NAMED], 2, "b.db is an input"),
        ([*LEARN, "--ledger", "b.db", "--dataset", "doctors"], 3, "granted no budget"),
        (["ledger", "init", "b.db"], 2, "exists already"),
        (["ledger", "init", "no/b.db"], 2, "does not exist"),
        (["ledger", "show", "none.db"], 2, "there is no ledger"),
        (["ledger", "show", "b.db", "--dataset", "doctors"], 2, "no data set 'doctors'"),
        (["ledger", "export", "b.db", "--out", "b.db"], 2, "is an input"),
        (["ledger", "verify", "p.csv"], 2, "line 1 is no event"),
        (["ledger", "verify", "none.jsonl"], 2, "cannot be read"),
        (
            ["ledger", "verify", "b.db", "--since", "none.jsonl"],
            2,
            "--since: none.jsonl cannot",
        ),
        ([*GRANT, "0", *NAMED], 2, "greater than 0"),
        ([*GRANT, "1", *NAMED, "--schema", "none"], 2, "--schema: none"),
        (
            [*GRANT, "1", "--dataset", " "],
            2,
            "printable characters",
        ),
        (
            [*GRANT, "1", "--dataset", "d", "--analyst", "a"],
            2,
            "no cap yet",
        ),
    ],
)
def test_bad_requests_spend_nothing(
    folder: Path, arguments: list[str], status: int, words: str
) -> None:
    before = Ledger(folder / "b.db").events()
    done = call(*arguments)
    assert done.returncode == status
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout
    assert not Path("m.json").exists()
    assert Ledger(folder / "b.db").events() == before
