from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.ledger import Mention, Met
from leeboard.model.lookup import Cursor
from leeboard.model.outcome import Offer, Outcome
from leeboard.model.verdict import Correction, Finding
from leeboard.store import forgetting
from leeboard.store.database import CURSOR, Database
from leeboard.store.forgetting import mark_abandoned, purge
from leeboard.store.rows import write_outcome
from tests.known_suite import KNOWN
from tests.store_suite import NOON, a_session, a_step, a_verdict


def write_much(database: Database, session_id: str, updated: float) -> None:
    """Something in every table that belongs to a session."""
    correction = Correction(id="c", agent="", turn=1, level="nudge", score=7, text="", rules=(), paths=())
    outcome = Outcome(
        session=a_session(session_id, updated=updated),
        verdict=a_verdict(f"v-{session_id}", session_id),
        key="k",
        mentions=(Mention("a.py", Met.READ),),
        steps=(a_step(f"s-{session_id}", session_id=session_id, files=("a",), folders=("b",), keywords=("c",)),),
        findings=(Finding(rule="r", subject="s", evidence=()),),
        offers=(Offer(correction, "waiting"),),
        known=(replace(KNOWN, session=session_id),),
    )
    write_outcome(database, outcome, 1)
    database.run("INSERT INTO tracked_told VALUES (?, 'a', 'b')", (session_id,))
    database.run(CURSOR.insert("cursors", key="path"), CURSOR.row(Cursor(path=session_id, session=session_id)))


def sizes(database: Database) -> dict[str, int]:
    tables = [row[0] for row in database.all("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counted = {table: database.all(f"SELECT count(*) FROM {table}")[0][0] for table in tables}
    return {table: count for table, count in counted.items() if count}


def test_purging_leaves_no_row_behind(database: Database) -> None:
    write_much(database, "new", NOON + 10)
    one_session = sizes(database)
    assert len(one_session) == 15, "a table that is added must be purged too"
    write_much(database, "old", NOON)
    assert purge(database, NOON + 5) == 1
    assert sizes(database) == one_session


def test_more_than_a_handful_is_purged(database: Database) -> None:
    many = forgetting.HANDFUL * 2 + 1
    with database.writing():
        for number in range(many):
            write_much(database, f"s{number}", NOON)
    assert purge(database, NOON + 5) == many
    assert sizes(database) == {}


def test_both_rows_of_an_idle_session_say_so(database: Database) -> None:
    """AD-57."""
    write_much(database, "idle", NOON)
    assert mark_abandoned(database, NOON + 5) == 1
    assert database.all("SELECT status FROM session_hot UNION ALL SELECT status FROM session_states") == [
        ("abandoned",),
        ("abandoned",),
    ]


def test_a_session_of_a_newer_version_is_left_alone(database: Database) -> None:
    write_much(database, "newer", NOON)
    write_much(database, "idle", NOON)
    database.run("UPDATE session_hot SET shape = 99 WHERE session_id = 'newer'")
    assert mark_abandoned(database, NOON + 5) == 1
    assert database.one("SELECT status FROM session_hot WHERE session_id = 'newer'") == ("active",)


def test_idle_and_old_sessions_are_found_by_index(database: Database) -> None:
    for sql, parameters in ((forgetting._IDLE, [1.0]), (forgetting._OLD, [1.0, 50])):
        plan = [row[-1] for row in database.all(f"EXPLAIN QUERY PLAN {sql}", parameters)]
        assert all(step.startswith("SEARCH") for step in plan), plan
