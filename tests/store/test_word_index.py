from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.model.ledger import Entry
from leeboard.store import word_index
from leeboard.store.sqlite import SqliteStore
from leeboard.store.word_index import NEWEST, PastPassage, find_passages, index_folder, throw_away
from leeboard.text.words import content_words
from tests.store_suite import a_session, a_step, keep

SHOP = "/work/shop"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))


def found(store: SqliteStore, *words: str, project: str = SHOP) -> list[str]:
    passages = find_passages(store.pages, project, content_words(" ".join(words)), 10)
    return [one.kind if one.kind != "step" else f"step {one.place}" for one in passages]


def test_steps_decisions_and_goals_are_found_by_their_words(store: SqliteStore) -> None:
    decided = Entry(kind="decided", key="queue", turn=1, text="we use a queue for mails")
    step = a_step("one", files=("src/mailSender.py",), command="make mails", reasoning="Tokens rotate here")
    keep(store, a_session(), step, entries=(decided,))
    assert found(store, "rotating") == ["step 1"]
    assert found(store, "sender") == ["step 1"]  # a part of a name in camel case
    assert found(store, "queues") == ["decision"]
    assert found(store, "absent") == found(store) == []


def test_all_words_come_before_some_and_another_project_has_none(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("both", reasoning="kettle harbour"), a_step("one", reasoning="kettle"))
    assert found(store, "kettle", "harbour") == ["step 1", "step 2"]
    assert found(store, "kettle", project="/work/other") == []


def test_what_moved_is_taken_in_anew_and_what_was_off_course_is_not(store: SqliteStore) -> None:
    session = keep(store, a_session(), a_step("one", reasoning="kettle"), a_step("astray", 2, reasoning="kettle"))
    assert found(store, "kettle") == ["step 1"]
    keep(store, replace(session, updated=session.updated - 60), a_step("one", reasoning="harbour"))
    assert found(store, "kettle") == []
    assert found(store, "harbour") == ["step 1"]


def test_a_file_that_is_no_index_is_made_anew_and_one_can_be_thrown_away(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("one", reasoning="kettle"))
    found(store, "kettle")
    (index,) = Path(index_folder()).glob("*.db")
    index.write_bytes(b"no database " * 1000)
    assert found(store, "kettle") == ["step 1"]
    throw_away()
    assert not list(Path(index_folder()).iterdir())
    throw_away()
    assert found(store, "kettle") == ["step 1"]


def test_hostile_words_are_words(store: SqliteStore) -> None:
    keep(store, a_session(), a_step("one", reasoning="kettle"))
    hostile = ['a" OR "kettle', "kettle OR", "NEAR(", "*", "\x00", "", "\ud800"]
    assert find_passages(store.pages, SHOP, hostile, 10) == []


def test_without_full_text_search_it_says_so(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "has_word_search", lambda _database: False)
    with pytest.raises(StateError, match="FTS5"):
        find_passages(store.pages, SHOP, ["kettle"], 10)


def test_only_the_newest_matches_are_ranked(store: SqliteStore) -> None:
    """However often a word occurs: the older step would be the better match."""
    best = a_step("best", reasoning="kettle")
    keep(store, a_session(), best, *(a_step(f"n{at}", reasoning="kettle and more words") for at in range(NEWEST)))
    assert PastPassage("step", 1, "s1") not in find_passages(store.pages, SHOP, ["kettle"], NEWEST)
