from __future__ import annotations

import io
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.app.views.guard import RECEIPTS_READ
from leeboard.io.clock import now
from leeboard.model.lookup import Receipt
from leeboard.model.traffic import CarriedRequest
from leeboard.store.sqlite import open_store
from leeboard.surfaces.cli.main import run
from leeboard.surfaces.cli.session.watch import WaitingNews
from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_before_init_it_says_how_to_begin(desk: Desk) -> None:
    ran = desk.run("status")
    assert ran.code == 1
    assert "`leeboard init`" in ran.out
    assert "Traceback" not in ran.err


def test_it_shows_that_the_guard_is_alive_and_what_it_thinks(drifted: Desk) -> None:
    out = drifted.ok("status").out
    assert ".claude/settings.local.json (local), 14 of 14 events" in out
    assert "ago (Stop); judging takes" in out
    assert "Fix the auth bug" in out
    assert "DRIFTED" in out
    assert "advise" in out


def test_for_programs(drifted: Desk) -> None:
    (found,) = drifted.ok("status", "--json").objects
    assert found["installed"]
    assert found["last_heard"]["event"] == "Stop"
    assert found["session"]["mode"] == "DRIFTED"
    assert found["session"]["constraints"] == ["DO NOT modify the schema"]
    assert found["problems"] == []


def test_what_is_wrong_is_shown(desk: Desk) -> None:
    desk.ok("init", "-q")
    (desk.repo / "leeboard.toml").write_text('\nprofile = "observ"\n')
    desk.run("allow", "circling", "--reason", "x", env={"CLAUDECODE": "1"})
    out = desk.ok("status", env={"LEEBOARD_OFF": "1", "COLUMNS": "300"}).out
    flat = " ".join(out.split())
    assert "leeboard.toml:2" in flat
    assert "did you mean observe?" in flat
    assert "leeboard allow was refused inside an agent" in flat
    assert "LEEBOARD_OFF is set" in flat


def test_hooks_of_another_installation_are_noticed(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.local.write_text(desk.local.read_text().replace("/leeboard/surfaces/", "/older/leeboard/surfaces/"))
    assert "another installation" in " ".join(desk.ok("status").out.split())


@pytest.mark.parametrize("place", ["file", "/proc/nope"])
def test_a_state_that_can_not_be_used_comes_first(desk: Desk, place: str) -> None:
    desk.ok("init", "-q")
    (desk.repo / "file").write_text("")
    where = {"LEEBOARD_STATE_DIR": place if place.startswith("/") else str(desk.repo / place)}
    ran = desk.run("status", env=where)
    assert ran.code == 1
    assert ran.out.startswith("the guard is off: ")
    assert "LEEBOARD_STATE_DIR" in ran.out
    (found,) = desk.run("status", "--json", env=where).objects
    assert not found["enabled"]
    assert len(found["problems"]) == 1


def test_a_damaged_database_comes_first(desk: Desk) -> None:
    desk.ok("init", "-q")
    (desk.state / "leeboard.db").write_bytes(b"no database" * 500)
    ran = desk.run("status")
    assert ran.code == 1
    assert ran.out.startswith("the guard is off: ")
    assert "is damaged" in ran.out


def test_a_limit_that_can_not_be_checked_is_marked(desk: Desk) -> None:
    desk.ok("init", "-q")
    (desk.repo / "leeboard.toml").write_text('[goal]\nconstraints = ["don\'t modify the schema", "keep it friendly"]\n')
    desk.trust()
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug.")
    for command in ("status", "scope"):
        lines = [line for line in desk.ok(command).out.splitlines() if line.startswith("limit")]
        assert [line.endswith("given to the agent, not judged)") for line in lines] == [False, True], lines


def test_silence_comes_with_how_much_was_watched(drifted: Desk) -> None:
    """SW-167."""
    out = drifted.run("status").out
    assert "watching" in out
    assert "turns; 1 correction said; 0 waiting, 0 findings noted and not said" in " ".join(out.split())
    (found,) = drifted.run("status", "--json").objects
    assert found["session"]["turns"] > 0
    assert (found["session"]["interrupt_budget"], found["session"]["interrupts_queued"]) == (3, [])


def test_a_profile_that_sleeps_is_told_apart_from_the_one_that_holds(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    said = "leeboard.toml says observe, which sleeps until you trust it"
    status = " ".join(desk.run("status").out.split())
    assert "profile advise" in status
    assert said in status
    doctor = " ".join(desk.run("doctor").out.split())
    assert f"{said} (`leeboard trust`); profile advise holds" in doctor
    desk.ok("trust", "--yes")
    assert "which sleeps" not in desk.run("status").out + desk.run("doctor").out


def test_what_the_proxy_carried_is_shown(desk: Desk) -> None:
    desk.ok("init", "-q")
    assert desk.ok("status", "--json").objects[0]["proxy"] is None
    store = open_store(str(desk.state / "leeboard.db"))
    store.traffic.keep_carried(
        CarriedRequest(ts=1.0, session="s", project=str(desk.repo), calls=3, withheld=1, held_ms=2.5)
    )
    store.close()
    flat = " ".join(desk.ok("status", env={"COLUMNS": "300"}).out.split())
    assert "proxy 1 request carried, 3 calls held for 2.5 ms, at most 2.5 ms, 1 withheld" in flat
    (found,) = desk.ok("status", "--json").objects
    assert (found["proxy"]["calls"], found["proxy"]["withheld"]) == (3, 1)


def test_another_project_that_is_busier_hides_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts.")
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(("git", "init", "-q", str(other)), check=True)
    store = open_store(str(desk.state / "leeboard.db"))
    for number in range(RECEIPTS_READ + 50):
        store.receipt(Receipt(ts=now(), event="PreToolUse", outcome="allow", session="other-1", ms=float(number)))
    store.close()
    flat = " ".join(desk.ok("status").out.split())
    assert "never in this project" not in flat
    assert "(UserPromptSubmit); judging takes" in flat
    (found,) = desk.ok("status", "--json").objects
    assert found["last_heard"]["event"] == "UserPromptSubmit"
    assert "never in this project" in " ".join(desk.run("status", cwd=other).out.split())


def test_each_hook_event_is_shown_as_configured_enabled_and_observed(drifted: Desk) -> None:
    flat = " ".join(drifted.ok("status", env={"COLUMNS": "400"}).out.split())
    assert "Claude Code: SessionStart " in flat
    assert "configured and not observed here yet: PostToolUseFailure, " in flat
    assert "self-test at the start of a session answered " in flat
    (found,) = drifted.ok("status", "--json").objects
    by_event = {hook["event"]: hook for hook in found["observed"]}
    assert by_event["Stop"]["configured"]
    assert by_event["Stop"]["enabled"]
    assert by_event["Stop"]["seconds_ago"] >= 0
    assert by_event["PostCompact"]["seconds_ago"] is None
    assert found["silences"] == []


def test_a_hook_whose_program_is_gone_is_said_first_and_by_every_other_command(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="fix app.py")
    desk.local.write_text(desk.local.read_text().replace("/leeboard/surfaces/", "/gone/leeboard/surfaces/"))
    ran = desk.run("status", env={"COLUMNS": "400"})
    assert ran.code == 1
    assert ran.out.startswith("the guard is not heard: .claude/settings.local.json names ")
    said = desk.ok("rules", "--json")
    assert "which does not exist: no hook of Claude Code is answered" in " ".join(said.err.split())
    assert "does not exist" not in said.out
    assert desk.ok("rules", "--help").err == ""


def test_what_waits_in_any_project_is_shown_wherever_one_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By `status` once, and by `watch` when it begins to wait."""
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.at_plan_gate()
    elsewhere = GitRepository(tmp_path / "elsewhere").path
    monkeypatch.chdir(elsewhere)
    told = io.StringIO()
    with redirect_stdout(told):
        run(["status"])
    waits = f"Make the thing: The plan of stage build waits for your decision. ({flow.root})"
    assert waits in " ".join(told.getvalue().split())
    news = WaitingNews(str(elsewhere))
    assert str(flow.root) in [work.project for work in news.look()]
    assert not list(news.look()), "once"
