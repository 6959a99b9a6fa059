from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.model.ledger import Entry
from leeboard.store import word_index
from leeboard.store.recall import RecallQuestion, recall
from leeboard.store.sqlite import SqliteStore
from leeboard.text.words import content_words
from tests.store_suite import a_session, a_step, keep

SHOP = "/work/shop"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))


def test_decisions_then_files_folders_words_and_keywords_each_once(store: SqliteStore) -> None:
    steps = (
        a_step("keyword", keywords=content_words("kettle"), command="keyword"),
        a_step("words", command="words", reasoning="the kettle is kept"),
        a_step("folder", command="folder", folders=("src/",)),
        a_step("file", command="file", files=("src/a.py",), folders=("src/",)),
        a_step("key", command="key", files=("src/a.py",), is_key_decision=True),
        a_step("unrelated", command="unrelated", is_key_decision=True),
        a_step("astray", 3, command="astray", files=("src/a.py",)),
    )
    entry = Entry(kind="decided", key="storage", turn=1, text="kettle in a cookie")
    keep(store, a_session(), *steps, entries=(entry,))
    asked = RecallQuestion(
        files=("src/a.py",), folders=("src/",), words=content_words("kettle"), keywords=content_words("kettle")
    )
    found, note = recall(store.pages, SHOP, asked)
    assert [one.what.removeprefix("edit ").removeprefix("read ") for one in found] == [
        *("key", "kettle in a cookie", "file", "folder", "words", "keyword")
    ]
    assert [one.is_key_decision for one in found] == [True, True, False, False, False, False]
    assert not note


def test_ten_at_most_and_only_of_the_project(store: SqliteStore) -> None:
    steps = [a_step(f"n{at}", files=("a",), folders=("x/",), keywords=("k",), reasoning="kite") for at in range(30)]
    keep(store, a_session(), *steps)
    asked = RecallQuestion(files=("a",), folders=("x/",), words=content_words("kite"), keywords=("k",))
    assert len(recall(store.pages, SHOP, asked).found) == 10
    assert recall(store.pages, "/work/other", asked).found == ()


def test_without_full_text_search_the_rest_is_still_found(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "has_word_search", lambda _database: False)
    keep(store, a_session(), a_step("one", files=("a",)))
    found, note = recall(store.pages, SHOP, RecallQuestion(files=("a",), words=content_words("kite")))
    assert [one.files for one in found] == [("a",)]
    assert "FTS5" in note
