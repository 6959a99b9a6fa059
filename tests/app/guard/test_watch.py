from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.guard.watch import GuardWatch, Slip, events_of
from leeboard.app.scan.decided import write_baseline
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import Session
from leeboard.model.workspace import Workspace
from leeboard.trust.released import mark_of, release
from tests.hook_process import hook_payload, shell

LIMIT = Constraint(text="DO NOT modify a.sql", kind="forbid", patterns=("a.sql",))


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return Session(id="s", root=str(tmp_path), contract=Contract(constraints=(LIMIT,)))


def heard(payload: bytes, session: Session, at: float, *, others: tuple[Session, ...] = ()) -> tuple[Slip, ...]:
    watch = GuardWatch(parse(payload, at), Workspace(session.root), {})
    found = watch.compare(session, lambda: others)
    watch.begin()
    watch.keep(session)
    return found


@pytest.mark.parametrize(("seconds", "blamed"), [(1.0, "t1"), (60.0, "")])
def test_a_line_that_took_long_is_named_and_not_blamed(session: Session, seconds: float, blamed: str) -> None:
    heard(shell("t1", "make x"), session, 100.0)
    Path(session.root, "a.sql").touch()
    (slip,) = heard(shell("t1", "make x", name="PostToolUse", tool_response={}), session, 100.0 + seconds)
    assert (slip.path, slip.how, slip.lines, slip.call) == ("a.sql", "made", ("make x",), blamed)


def test_with_another_session_near_nobody_is_blamed(session: Session) -> None:
    heard(shell("t1", "make x"), session, 100.0)
    Path(session.root, "a.sql").touch()
    near = Session(id="other", root=session.root, updated=99.0)
    (slip,) = heard(shell("t1", "make x", name="PostToolUse", tool_response={}), session, 101.0, others=(near,))
    assert (slip.lines, slip.call) == (("make x",), "")


def test_an_edit_that_was_let_pass_is_no_surprise(session: Session) -> None:
    """By a pause, or by a person's word that the limit may be broken there."""
    path = Path(session.root, "a.sql")
    edit = {"tool_name": "Write", "tool_input": {"file_path": str(path), "content": "b"}, "tool_use_id": "t1"}
    heard(hook_payload("UserPromptSubmit", prompt="go on"), session, 99.0)
    heard(hook_payload("PreToolUse", **edit), session, 100.0)
    path.write_text("b")
    assert heard(hook_payload("PostToolUse", **edit, tool_response={}), session, 101.0) == ()
    path.write_text("c")
    (slip,) = heard(hook_payload("Stop"), session, 102.0)
    assert slip.lines == (), "what came after it is none of its doing"


def test_looking_around_is_no_line(session: Session) -> None:
    heard(shell("t1", "cat a.sql | head"), session, 100.0)
    Path(session.root, "a.sql").touch()
    (slip,) = heard(hook_payload("Stop"), session, 101.0)
    assert slip.lines == ()
    assert events_of((slip,), parse(hook_payload("Stop"), 101.0)) == ()


@pytest.mark.parametrize("name", ["leeboard-baseline.json", "leeboard-allowed.json"])
def test_decisions_about_findings_are_compared_too(session: Session, name: str) -> None:
    heard(shell("t1", "make x"), session, 100.0)
    Path(session.root, name).write_text("{}")
    (slip,) = heard(shell("t1", "make x", name="PostToolUse", tool_response={}), session, 101.0)
    assert (slip.path, slip.kind, slip.lines) == (name, "guard", ("make x",))


def test_a_persons_own_command_that_writes_them_is_no_news(session: Session) -> None:
    heard(shell("t1", "make x"), session, 100.0)
    heard(shell("t1", "make x", name="PostToolUse", tool_response={}), session, 101.0)
    write_baseline(session.root, (), (), whole=True)
    assert heard(hook_payload("Stop"), session, 102.0) == ()
    Path(session.root, "leeboard-allowed.json").write_text("{}")
    release(session.root, "settings")
    os.utime(mark_of(session.root, "decisions"), (1.0, 1.0))
    (slip,) = heard(hook_payload("Stop"), session, 103.0)
    assert slip.lines == ()
