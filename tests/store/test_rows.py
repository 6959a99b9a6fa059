from __future__ import annotations

import pytest

from leeboard.errors import StateError
from leeboard.model.ledger import Mention, Met
from leeboard.model.outcome import Outcome
from leeboard.store.database import Database
from leeboard.store.rows import Sessions, read_answer, read_rows, read_session, write_outcome
from tests.store_suite import a_session, a_verdict


@pytest.fixture
def written(database: Database) -> Database:
    mentions = tuple(Mention(f"t{number}", Met.READ) for number in range(300))
    write_outcome(database, Outcome(session=a_session(), verdict=a_verdict("v"), key="k", mentions=mentions), 1)
    return database


@pytest.mark.parametrize("many", [0, 1, 4, 5, 16, 17, 256, 257, 299])
def test_any_number_of_terms_is_looked_up(written: Database, many: int) -> None:
    terms = [f"t{number}" for number in range(many)]
    assert read_rows(written, "s1", iter([*terms, "never"])) == dict.fromkeys(terms, Met.READ)


def test_a_broken_name_is_one_that_was_never_met(written: Database) -> None:
    assert read_rows(written, "s1", ["\udcff", "t1"]) == {"t1": Met.READ}


def test_terms_are_found_by_index(database: Database) -> None:
    plan = database.all("EXPLAIN QUERY PLAN SELECT met FROM ledger WHERE session_id = ? AND term IN (?, ?)", "abc")
    assert all("SEARCH" in row[-1] for row in plan)


def test_a_damaged_session_is_rebuilt_from_its_state(written: Database) -> None:
    written.run("UPDATE session_hot SET data = x'00', version = 5")
    session = read_session(written, "s1")
    assert session is not None
    assert (session.version, session.contract.objective) == (5, "fix the basket")
    assert session.history == a_session().history


def test_a_session_is_read_again_only_once_it_has_moved(written: Database) -> None:
    sessions = Sessions(written)
    first = sessions.read("s1")
    assert sessions.read("s1") is first
    write_outcome(written, Outcome(session=a_session(), verdict=a_verdict("w"), key="l"), 2)
    moved = sessions.read("s1")
    assert moved is not None
    assert moved.version == 2
    assert sessions.read("s2") is None
    assert sessions.read("s1") == moved


def test_a_session_that_was_removed_is_gone(written: Database) -> None:
    sessions = Sessions(written)
    assert sessions.read("s1") is not None
    written.run("DELETE FROM session_hot")
    assert sessions.read("s1") is None
    assert sessions.version("s1") == 0


def test_a_damaged_session_without_a_state_is_said(written: Database) -> None:
    written.run("UPDATE session_hot SET data = x'00'")
    written.run("DELETE FROM session_states")
    with pytest.raises(StateError, match="s1 can not be read"):
        read_session(written, "s1")


def test_a_session_of_a_newer_version_is_refused(written: Database) -> None:
    written.run("UPDATE session_hot SET shape = 99")
    with pytest.raises(StateError, match="newer Leeboard"):
        read_session(written, "s1")


def test_a_damaged_answer_is_none(written: Database) -> None:
    assert read_answer(written, "s1", "k") == a_verdict("v")
    written.run("UPDATE answers SET verdict = '{'")
    assert read_answer(written, "s1", "k") is None
