from __future__ import annotations

import pytest

from leeboard.model.outcome import Outcome
from leeboard.store import receipts, sqlite
from leeboard.store.database import Database
from leeboard.store.rows import write_outcome
from tests.store_suite import NOON, a_session, a_verdict

LISTS = {
    "sessions": sqlite._SESSIONS,
    "sessions of a project": sqlite._SESSIONS_OF,
    "steps": sqlite._STEPS,
    "verdicts": sqlite._VERDICTS,
    "verdict by start": sqlite._VERDICT_STARTING,
    "findings": sqlite._FINDINGS,
    "corrections": sqlite._CORRECTIONS,
    "captures": sqlite._CAPTURES,
    "receipts": receipts._NEWEST,
    "heartbeats": receipts._HEARTBEATS_OF,
    "calls that were heard": receipts._CALLS_HEARD,
    "allowances": sqlite._ALLOWANCES,
}


@pytest.mark.parametrize("sql", LISTS.values(), ids=LISTS.keys())
def test_every_list_is_read_along_an_index(sql: str, database: Database) -> None:
    """A list with a limit may walk its index; nothing else is walked whole."""
    plan = [row[-1] for row in database.all(f"EXPLAIN QUERY PLAN {sql}", ["1"] * sql.count("?"))]
    walked = [step for step in plan if step.startswith("SCAN") and "INDEX" not in step and "LIMIT" not in sql]
    assert not walked, plan


def test_a_session_that_can_not_be_read_is_left_out_of_the_list(database: Database) -> None:
    for name in ("one", "two"):
        write_outcome(database, Outcome(session=a_session(name), verdict=a_verdict(name, name)), 1)
    database.run("UPDATE session_hot SET shape = 99 WHERE session_id = 'one'")
    assert [session.id for session in sqlite.sessions(database, None, 9)] == ["two"]


@pytest.mark.parametrize("start", ["%", "_", "a'", "\U0010ffff", "\udcff"])
def test_the_start_of_an_id_is_taken_by_its_letters(database: Database, start: str) -> None:
    write_outcome(database, Outcome(session=a_session(), verdict=a_verdict("abc")), 1)
    assert sqlite.verdict(database, start) is None


def test_no_session_is_listed_past_the_limit(database: Database) -> None:
    for number in range(3):
        session = a_session(f"s{number}", updated=NOON + number)
        write_outcome(database, Outcome(session=session, verdict=a_verdict(f"v{number}", session.id)), 1)
    assert [session.id for session in sqlite.sessions(database, "/work/shop", 1)] == ["s2"]
