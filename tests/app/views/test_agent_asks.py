from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.views.agent_asks import ForeseenFile, goal_of, judged_diff, said_to
from leeboard.errors import ConfigError
from leeboard.surfaces import edge

DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    return str(folder)


def prompt(root: str, session: str, words: str) -> None:
    told = {"session_id": session, "cwd": root, "hook_event_name": "UserPromptSubmit", "prompt": words}
    edge.answer(json.dumps(told).encode(), {})


def test_the_session_that_asks_is_known_by_its_variable(root: str) -> None:
    prompt(root, "mine", "Rename x in a.py.")
    prompt(root, "theirs", "Write the docs.")
    assert goal_of(root, {}).objective == "Write the docs."
    assert goal_of(root, {"CLAUDE_CODE_SESSION_ID": "mine"}).objective == "Rename x in a.py."
    assert said_to(root, {}) == ()


def test_a_change_that_is_asked_for_would_pass(root: str) -> None:
    prompt(root, "s", "Set x to 2 in a.py.")
    assert judged_diff(root, DIFF, {}) == (ForeseenFile(path="a.py", answer="allow"),)


@pytest.mark.parametrize("diff", ["", "x", "--- a\n+++ b\n", "@@ -1 +1 @@\n-a\n+b\n", "diff --git a/x b/x\n"])
def test_what_is_no_diff_is_said_to_be_none(root: str, diff: str) -> None:
    prompt(root, "s", "Set x to 2 in a.py.")
    with pytest.raises(ConfigError, match="no unified diff"):
        judged_diff(root, diff, {})


def test_where_nothing_was_heard_the_way_in_is_named(root: str) -> None:
    with pytest.raises(ConfigError, match="leeboard"):
        goal_of(root, {})
