"""The settings that recorded sessions are judged by, as they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.recorded_sessions import record, straying
from tools.scripted import transcript

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def session(tmp_path: Path) -> str:
    return str(record(tmp_path / "sessions", a=straying()) / "a.jsonl")


def actions(desk: Desk, session: str, *words: str, **how: object) -> list[str]:
    found = desk.ok("replay", session, "--json", *words, **how).objects
    return [one["action"] for one in found if one["kind"] == "verdict" and one["message"]]


def test_replay_goes_by_the_project_it_runs_in(desk: Desk, session: str) -> None:
    assert actions(desk, session) == ["DENY", "DENY"]
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    desk.trust()
    assert actions(desk, session) == []
    assert actions(desk, session, "--no-settings") == ["DENY", "DENY"]
    assert actions(desk, session, "--profile", "advise") == ["DENY", "DENY"]
    assert actions(desk, session, env={"LEEBOARD_PROFILE": "enforce"}) == ["DENY", "DENY"]
    assert actions(desk, session, cwd=desk.home) == ["DENY", "DENY"]


def test_what_a_repository_loosens_counts_once_it_is_trusted(desk: Desk, session: str) -> None:
    (desk.repo / "leeboard.toml").write_text("[rules.broken_constraint]\nenabled = false\n")
    rules = [one["rules"] for one in desk.ok("replay", session, "--json").objects if one["kind"] == "verdict"]
    assert any("broken_constraint" in named for named in rules)
    desk.trust()
    rules = [one["rules"] for one in desk.ok("replay", session, "--json").objects if one["kind"] == "verdict"]
    assert not any("broken_constraint" in named for named in rules)


def test_a_file_that_is_named_counts_alone(desk: Desk, session: str, tmp_path: Path) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "enforce"\n')
    file = tmp_path / "mine.toml"
    file.write_text('profile = "observe"\n')
    assert actions(desk, session, "--settings", str(file)) == []
    file.write_text('profile = "loud"\n')
    ran = desk.run("replay", session, "--settings", str(file))
    assert (ran.code, "mine.toml:1: profile is" in ran.err) == (2, True)
    assert desk.run("replay", session, "--settings", str(tmp_path / "none.toml")).code == 2
    assert desk.run("replay", session, "--settings", str(file), "--no-settings").code == 2


def test_what_is_wrong_with_the_project_s_settings_is_said(desk: Desk, session: str) -> None:
    (desk.repo / "leeboard.toml").write_text('profil = "enforce"\n')
    assert "did you mean profile?" in desk.ok("replay", session, "--json").err


def test_limits_of_the_settings_hold_in_a_recording_too(desk: Desk, tmp_path: Path) -> None:
    script = "@ Make the lifetime longer.\nedit src/token.ts\n  - a\n  + b\n@ go on\n"
    folder = record(tmp_path, a=transcript(script, session="a", repo="shop"))
    file = tmp_path / "mine.toml"
    file.write_text('[goal]\nconstraints = ["Do not modify src/token.ts"]\n')
    found = desk.ok("replay", str(folder / "a.jsonl"), "--json", "--settings", str(file)).objects
    assert ["src/token.ts"] in [one["paths"] for one in found if "broken_constraint" in one.get("rules", ())]


@pytest.mark.parametrize("command", ["replay", "backtest", "scan"])
def test_what_is_no_cluster_is_refused(desk: Desk, command: str) -> None:
    ran = desk.run(command, ".", "--on", "8786")
    assert ran.code == 2
    assert "--on takes local, tcp://host:port or tls://host:port of a Dask scheduler, not '8786'" in ran.err


@pytest.mark.parametrize("option", [("--diff", "HEAD"), ("--staged",), ("--watch",), ("--duplicates",)])
def test_a_scan_that_needs_this_machine_stays_here(desk: Desk, option: tuple[str, ...]) -> None:
    ran = desk.run("scan", *option, "--on", "local")
    assert ran.code == 2
    assert "--on is for whole trees" in ran.err
