"""`leeboard init --http`: for a person, where the client's version was seen to post its hooks, and undone by `init`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from leeboard.app.guard.coverage import PARTS, Coverage, PartHeard
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS, read_state

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

POSTED = {"PostToolUse", "PostToolUseFailure", "PostToolBatch"}


def with_client(desk: Desk, version: str = "2.1.325") -> Desk:
    """A client on PATH that says this version."""
    programs = desk.home / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "claude").write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n", encoding="utf-8")
    (programs / "claude").chmod(0o755)
    desk.env["PATH"] = f"{programs}:{desk.env['PATH']}"
    return desk


def tried(desk: Desk, *, by_http: bool = True, http_events: tuple[str, ...] = HOOK_EVENTS) -> None:
    """What `doctor --probe` keeps of 2.1.325."""
    parts = tuple(PartHeard(part=part, ran=True, before=True, after=True, by_http=by_http) for part in PARTS)
    found = Coverage(
        client="claude_code", version="2.1.325", time=1.0, events=HOOK_EVENTS, http_events=http_events, parts=parts
    )
    desk.state.mkdir(parents=True, exist_ok=True)
    (desk.state / "probe-claude_code.json").write_bytes(msgspec.json.encode(found))


@pytest.fixture
def able_desk(desk: Desk) -> Desk:
    tried(with_client(desk))
    return desk


def test_what_follows_a_call_is_posted_and_all_else_is_a_command(able_desk: Desk) -> None:
    told = able_desk.ok("init", "--http").out
    state = read_state(able_desk.local.read_text())
    assert {event for event, _ in state.posted} == POSTED
    assert {event for event, _ in state.hooks} == set(HOOK_EVENTS) - POSTED
    port = re.search(r"port (\d+) of 127\.0\.0\.1", told)
    assert port is not None
    assert {url for _, url in state.posted} == {f"http://127.0.0.1:{port[1]}/leeboard/hook"}
    before = able_desk.local.read_bytes()
    assert "already installed" in able_desk.ok("init", "--http").out
    assert able_desk.local.read_bytes() == before
    assert "14 of 14 events, 3 of them posted to the resident" in " ".join(able_desk.run("status").out.split())


def test_nobody_else_may_read_the_token(able_desk: Desk) -> None:
    able_desk.local.parent.mkdir()
    able_desk.local.write_text('{"model": "opus"}\n', encoding="utf-8")
    able_desk.local.chmod(0o644)
    able_desk.ok("init", "--http")
    assert able_desk.local.stat().st_mode & 0o777 == 0o600
    able_desk.local.chmod(0o644)
    assert "already installed" in able_desk.ok("init", "--http").out
    assert able_desk.local.stat().st_mode & 0o777 == 0o600, "also where nothing else is to be done"
    able_desk.ok("init")
    assert able_desk.local.stat().st_mode & 0o777 == 0o600


def test_init_alone_goes_back_to_commands(able_desk: Desk) -> None:
    able_desk.ok("init")
    commands = able_desk.local.read_bytes()
    able_desk.ok("init", "--http")
    assert "runs the command again" in " ".join(able_desk.ok("init").out.split())
    assert able_desk.local.read_bytes() == commands
    assert "command again" not in able_desk.ok("init").out
    assert not list((able_desk.state / "http").iterdir())


def test_uninstall_leaves_nothing_of_it(able_desk: Desk) -> None:
    able_desk.local.parent.mkdir()
    able_desk.local.write_text('{"model": "opus"}\n', encoding="utf-8")
    able_desk.ok("init", "--http")
    able_desk.ok("uninstall")
    assert able_desk.local.read_text(encoding="utf-8") == '{"model": "opus"}\n'
    assert not list((able_desk.state / "http").iterdir())


def test_a_port_is_promised_once_it_is_kept(able_desk: Desk) -> None:
    """What is only shown reserves none: the next one may be another."""
    assert "is an example" in able_desk.ok("init", "--http", "--dry-run").out
    told = able_desk.ok("init", "--http").out
    port = re.search(r"to port (\d+) of 127", told)
    assert port is not None
    again = able_desk.ok("init", "--http", "--dry-run").out
    assert f"would post what follows a call to port {port[1]} of 127.0.0.1" in again


def test_the_record_of_a_port_is_forgotten_once_nothing_is_posted_to_it(able_desk: Desk) -> None:
    able_desk.ok("init", "--http")
    able_desk.hook("UserPromptSubmit", prompt="Fix the login")
    able_desk.ok("purge", "--project")
    assert list((able_desk.state / "http").iterdir()), "the client still posts to it"
    able_desk.local.unlink()
    able_desk.ok("purge", "--project")
    assert not list((able_desk.state / "http").iterdir())


def test_neither_token_is_ever_shown(able_desk: Desk) -> None:
    shown = able_desk.ok("init", "--http", "--dry-run").out
    assert "Bearer [redacted]" in shown
    assert not able_desk.local.exists()
    assert not (able_desk.state / "http").exists()
    shown += able_desk.ok("init", "--http", "--json").out
    (kept,) = (able_desk.state / "http").iterdir()
    token = json.loads(kept.read_bytes())["token"]
    shown += able_desk.ok("uninstall", "--dry-run").out + able_desk.run("doctor", "--json").out
    assert token in able_desk.local.read_text()
    assert token not in shown


def test_an_agent_can_not_ask_for_it(able_desk: Desk) -> None:
    ran = able_desk.run("init", "--http", env={"CLAUDECODE": "1"})
    assert ran.code != 0
    assert "only a person may run" in ran.err
    assert not able_desk.local.exists()


@pytest.mark.parametrize("words", [("--project",), ("--user",), ("--client", "codex")])
def test_a_port_is_for_one_person_in_one_project(able_desk: Desk, words: tuple[str, ...]) -> None:
    ran = able_desk.run("init", "--http", *words)
    assert ran.code != 0
    assert "a port and its token are for you alone" in ran.err or "posts no hooks" in ran.err
    assert not list(able_desk.repo.glob(".c*/*"))


def test_a_version_that_was_not_tried_stays_with_commands(desk: Desk) -> None:
    assert "version of Claude Code is not known" in desk.run("init", "--http", env={"PATH": "/usr/bin:/bin"}).err
    ran = with_client(desk).run("init", "--http")
    assert ran.code != 0
    assert "2.1.325 was not tried here: `leeboard doctor --probe`" in ran.err
    tried(with_client(desk, "2.1.400"))
    assert "2.1.400 was not tried here" in desk.run("init", "--http").err
    assert not desk.local.exists()


def test_a_version_that_does_not_post_all_stays_with_commands(able_desk: Desk) -> None:
    tried(able_desk, by_http=False)
    assert "does not post all that it tells its commands" in able_desk.run("init", "--http").err
    tried(able_desk, http_events=("PreToolUse", "PostToolUse"))
    assert "does not post all that it tells its commands" in able_desk.run("init", "--http").err
    assert not able_desk.local.exists()


def test_doctor_tells_who_answers_and_keeps_it_when_it_repairs(able_desk: Desk) -> None:
    able_desk.ok("init", "--http")
    (check,) = (one for one in able_desk.run("doctor", "--json").objects if one.get("about") == "posted hooks")
    assert check["state"] == "ok"
    assert "where nobody listens now; the next hook starts the resident" in check["detail"]
    text = able_desk.local.read_text()
    told = json.loads(text)
    del told["hooks"]["Stop"]
    able_desk.local.write_text(json.dumps(told))
    able_desk.run("doctor", "--fix")
    state = read_state(able_desk.local.read_text())
    assert {event for event, _ in state.posted} == POSTED
    assert "Stop" in {event for event, _ in state.hooks}
