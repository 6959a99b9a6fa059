"""Said, then put right: the report tells what the files say now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.conftest import Desk

WEAK = "import hashlib\n\ndef store(password):\n    return hashlib.md5(password).hexdigest()\n"
STRONG = "import bcrypt\n\ndef store(password):\n    return bcrypt.hashpw(password, bcrypt.gensalt())\n"


def write(desk: Desk, path: str, content: str, call: str) -> str:
    """A file the agent writes, to the end of its turn; what it heard there."""
    fields = {"file_path": str(desk.repo / path), "content": content}
    made: dict[str, Any] = {"tool_name": "Write", "tool_input": fields, "tool_use_id": call}
    desk.hook("PreToolUse", **made)
    (desk.repo / path).write_text(content)
    desk.hook("PostToolUse", **made, tool_response={})
    return desk.hook("PostToolBatch", tool_calls=[])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def told(desk: Desk) -> Desk:
    """A desk whose agent heard of a weak hash, and wrote what nobody can read."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="add the sign-in in login.py and what belongs to it")
    write(desk, "login.py", WEAK, "toolu_1")
    assert "weak hash" in write(desk, "broken.py", "def broken(:\n    return (\n", "toolu_2")
    return desk


def detections(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = desk.ok("report", "--json").objects[0]["detections"]
    return found


def test_what_was_said_stands_until_it_is_fixed(told: Desk) -> None:
    (one,) = detections(told)["signals_delivered"]
    assert (one["session"], one["fixed"]) == ("session-1", False)
    assert "Tech debt: Weak cryptography" in told.ok("report").out
    write(told, "login.py", STRONG, "toolu_3")
    (one,) = detections(told)["signals_delivered"]
    assert one["fixed"] is True
    out = told.ok("report").out
    assert "[fixed since]" in out
    assert "Tech debt" not in out


def test_a_rule_that_is_off_does_not_make_it_fixed(told: Desk) -> None:
    (told.repo / "leeboard.toml").write_text("[rules.weak_crypto]\nenabled = false\n")
    assert [one["fixed"] for one in detections(told)["signals_delivered"]] == [False]


def test_what_does_not_parse_is_noted_in_every_form(told: Desk) -> None:
    (one,) = detections(told)["not_analysed"]
    assert one["path"] == "broken.py"
    assert one["reason"].startswith("does not parse as python")
    for form in ((), ("--markdown",), ("--html", "-")):
        assert f"broken.py: {one['reason']}" in told.ok("report", *form).out
    (told.repo / "broken.py").unlink()
    assert detections(told)["not_analysed"] == []


@pytest.mark.parametrize(
    ("path", "content", "wrote"),
    [("app.py", "one = 2\n", True), ("app.swift", "let one = 2\n", True), ("notes.md", "two\n", False)],
)
def test_a_session_that_wrote_code_is_not_said_to_have_written_none(
    desk: Desk, path: str, content: str, *, wrote: bool
) -> None:
    """Even where all counts come out as they were, and where only prose was written it is said."""
    desk.ok("init", "-q")
    (desk.repo / path).write_text("one = 1\n")
    desk.hook("UserPromptSubmit", prompt=f"change {path}")
    write(desk, path, content, "toolu_1")
    assert ("wrote no code" not in desk.ok("report").out) == wrote
    desk.repo.rename(desk.repo.with_name("moved"))
    assert ("wrote no code" not in desk.ok("report", "session-1", cwd=desk.home).out) == wrote


def test_of_a_work_tree_that_is_gone_nothing_is_said(told: Desk) -> None:
    told.repo.rename(told.repo.with_name("moved"))
    found = told.ok("report", "session-1", "--json", cwd=told.home).objects[0]["detections"]
    assert [one["fixed"] for one in found["signals_delivered"]] == [False]
    assert found["not_analysed"] == []
