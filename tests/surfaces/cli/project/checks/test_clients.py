from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.guard.coverage import Coverage, PartHeard, keep
from leeboard.clients import FIRST
from leeboard.surfaces.cli.project.checks.clients import (
    check_client,
    check_client_trust,
    check_coverage,
    check_lowered,
    judge_client,
    try_clients,
)

LINE = "/usr/bin/python3 -I -S /opt/leeboard/surfaces/hook.py --client codex"


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("said", "state"),
    [("2.1.142 (Claude Code)", "ok"), ("2.1.96 (Claude Code)", "note"), ("3.0.0", "ok"), ("what?", "note")],
)
def test_the_client_has_to_tell_where_a_batch_ends(said: str, state: str) -> None:
    assert judge_client(FIRST, said).state == state


def test_the_client_on_path_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    client = tmp_path / "claude"
    client.write_text("#!/bin/sh\necho '2.0.1 (Claude Code)'\n")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "2.0.1" in next(check_client()).detail


def test_without_a_client_on_path_there_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert next(check_client()).state == "note"


def test_what_a_probe_found_is_shown_for_its_version_and_fails_where_a_call_goes_unheard() -> None:
    heard = Coverage(client=FIRST, version="2.1.325", time=1.0, parts=(PartHeard(part="main", ran=True, before=True),))
    keep(heard)
    (whole,) = check_coverage(FIRST, "2.1.325")
    (other,) = check_coverage(FIRST, "2.1.326")
    keep(replace(heard, parts=(*heard.parts, PartHeard(part="agent", ran=True))))
    (half,) = check_coverage(FIRST, "2.1.325")
    assert [one.state for one in (whole, other, half)] == ["ok", "ok", "failed"]
    assert "`leeboard doctor --probe`" in other.detail
    assert "NOT of sub-agents" in half.detail
    assert [*check_coverage("cursor", "1.0.0")] == []


def test_a_client_that_is_not_there_is_not_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    try_clients((FIRST, "codex"), str(tmp_path))
    assert not list(tmp_path.glob("state/probe-*"))


def put_codex(folder: Path, status: str) -> None:
    """A program that answers as Codex does, and only while its stdin is open."""
    listed = [{"command": LINE, "eventName": "preToolUse", "trustStatus": status}]
    answer = json.dumps({"id": 2, "result": {"data": [{"hooks": listed}]}}, separators=(",", ":"))
    program = folder / "codex"
    program.write_text(f"#!/bin/sh\nwhile read -r line; do case $line in *hooks/list*) echo '{answer}';; esac; done\n")
    program.chmod(0o755)


@pytest.mark.parametrize(("status", "state"), [("trusted", "ok"), ("untrusted", "failed"), ("", "failed")])
def test_codex_is_asked_whether_it_runs_the_hooks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: str, state: str
) -> None:
    put_codex(tmp_path, status)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (check,) = check_client_trust("codex", "/")
    assert check.state == state
    assert ("/hooks" in check.detail) == (state == "failed")


def test_a_client_that_runs_every_hook_and_one_that_is_not_there_are_not_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(check_client_trust("codex", "/")) == []
    assert list(check_client_trust("gemini_cli", "/")) == []


def test_one_that_says_nothing_is_a_note_with_the_step_to_take(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "codex").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (check,) = check_client_trust("codex", "/")
    assert check.state == "note"
    assert "/hooks" in check.detail


def test_what_a_client_can_not_do_is_said() -> None:
    told = [check.detail for check in check_lowered("gemini_cli")]
    assert told[0].startswith("Gemini CLI: it hangs")
    assert list(check_lowered(FIRST)) == []
