from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.ledger import Mention, Met
from leeboard.model.outcome import Outcome
from leeboard.model.session import Goal, Session
from leeboard.store.database import Database
from leeboard.store.rows import read_rows, read_session, write_outcome
from tests.store_suite import NOON, a_session, a_step, a_verdict


def write(database: Database, session: Session, version: int = 1) -> None:
    write_outcome(database, Outcome(session=session, verdict=a_verdict("v")), version)


def test_both_rows_of_a_session_are_written(database: Database) -> None:
    """AD-06, AD-09: exactly one row, readable by whoever knows the table."""
    write(database, a_session(), 7)
    assert database.all("SELECT session_id, version, project, status, updated FROM session_hot") == [
        ("s1", 7, "/work/shop", "active", NOON)
    ]
    assert database.all(
        "SELECT session_id, project_path, original_goal, json_type(expected_scope), json_type(constraints), "
        "json_type(keywords), json_array_length(drift_history), escalation_count, status FROM session_states"
    ) == [("s1", "/work/shop", "fix the basket", "array", "array", "array", 2, 0, "active")]


def test_the_first_goal_stays_when_the_window_moves_past_it(database: Database) -> None:
    write(database, Session(id="s1"))
    write(database, a_session())
    write(database, replace(a_session(), goals=(Goal(text="something later", exchange=9),)))
    assert database.one("SELECT original_goal FROM session_states") == ("fix the basket",)


def test_created_stays_and_updated_moves(database: Database) -> None:
    """AD-58."""
    write(database, a_session())
    write(database, replace(a_session(updated=NOON + 60), started=NOON + 30))
    assert database.one("SELECT created_at, updated_at FROM session_states") == (
        "2027-01-15T08:00:00Z",
        "2027-01-15T08:01:00Z",
    )


def test_a_session_that_knows_no_time_is_not_from_1970(database: Database) -> None:
    write(database, Session(id="s1"))
    row = database.one("SELECT updated, updated_at FROM session_hot JOIN session_states USING (session_id)")
    assert row is not None
    assert row[0] > NOON - 3e8
    assert row[1] > "2020"


def test_an_event_without_a_key_leaves_no_answer(database: Database) -> None:
    write(database, a_session())
    assert database.all("SELECT * FROM answers") == []


def test_broken_letters_stop_nothing(database: Database) -> None:
    session = replace(a_session(), goals=(Goal(text="fix \ud800", exchange=1),), root="/odd\udcff")
    outcome = Outcome(
        session=session,
        verdict=replace(a_verdict("v"), message="\udcff", paths=("\udcff",)),
        key="k\udcff",
        mentions=(Mention("src/\udcff.py", Met.READ), Mention("src/a.py", Met.READ)),
        steps=(a_step("s", files=("\udcff",), command="\udcff"),),
    )
    write_outcome(database, outcome, 1)
    kept = read_session(database, "s1")
    assert kept is not None
    assert (kept.goals[0].text, kept.root) == ("fix ?", "/odd?")
    assert read_rows(database, "s1", ["src/?.py", "src/a.py"]) == {"src/?.py": Met.READ, "src/a.py": Met.READ}
