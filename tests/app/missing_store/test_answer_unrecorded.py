from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from leeboard.app.missing_store import fallback_files
from leeboard.app.missing_store.answer import (
    NOTE,
    Unrecorded,
    answered_unrecorded,
    how_many,
    keep_unrecorded,
    take_in,
)
from leeboard.io.places import database
from leeboard.model.event import PromptGiven
from leeboard.model.verdict import Action, Verdict
from leeboard.store.sqlite import open_store


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path


def denial(call: str) -> Unrecorded:
    verdict = Verdict(id=f"v{call}", session="s", agent="", turn=0, action=Action.DENY, event="ToolProposed")
    return Unrecorded(
        time=5.0, session="s", cwd="/repo", event="PreToolUse", why="full", key=f"call:{call}", verdict=verdict
    )


def test_a_verdict_is_recorded_once() -> None:
    keep_unrecorded(denial("t1"))
    keep_unrecorded(denial("t1"))
    assert how_many() == 2
    known = answered_unrecorded("s", "call:t1")
    assert known is not None
    assert answered_unrecorded("s", "call:t2") is None
    with closing(open_store(database())) as store:
        take_in(store, {})
        assert how_many() == 0
        session = store.session("s")
        assert session is not None
        assert (session.denied, session.root) == (1, "/repo")
        (verdict,) = store.verdicts("s")
        assert verdict.trace == (NOTE,)
        assert [receipt.note for receipt in store.receipts(5)] == [f"{NOTE}: full"]


def test_words_of_the_user_are_heard() -> None:
    spoke = PromptGiven(session="s", cwd="/repo", key="prompt:p", text="Fix it. Don't touch docs/.")
    keep_unrecorded(Unrecorded(time=5.0, session="s", cwd="/repo", event="UserPromptSubmit", prompt=spoke))
    with closing(open_store(database())) as store:
        take_in(store, {})
        session = store.session("s")
        assert session is not None
        assert [limit.kind for limit in session.contract.constraints] == ["forbid"]


def test_a_line_that_a_full_disk_cut_off_is_passed_over() -> None:
    fallback_files.append(fallback_files.LATE, b'{"time": 5.0, "sess')
    keep_unrecorded(denial("t1"))
    with closing(open_store(database())) as store:
        take_in(store, {})
        assert len(store.verdicts("s")) == 1
