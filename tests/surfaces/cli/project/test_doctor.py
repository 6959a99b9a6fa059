from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_all_is_well_after_init(drifted: Desk) -> None:
    ran = drifted.ok("doctor")
    assert "answers a canary" in ran.out
    assert "failed" not in ran.out


def test_what_failed_is_shown_and_exits_one(desk: Desk) -> None:
    ran = desk.run("doctor", "--quiet")
    assert ran.code == 1
    assert "`leeboard init`" in ran.out
    assert not [line for line in ran.out.splitlines() if line.startswith("ok")]


def test_it_repairs_hooks_and_database(desk: Desk) -> None:
    desk.ok("init", "-q")
    settings = desk.local.read_text()
    desk.local.write_text(settings.replace("surfaces/hook.py", "moved/leeboard/surfaces/hook.py"))
    (desk.state / "leeboard.db").write_bytes(b"no database" * 500)
    broken = desk.run("doctor", "--json")
    assert broken.code == 1
    assert broken.objects[-1]["failed"] == 2
    fixed = desk.ok("doctor", "--fix", "--json").objects[-1]
    assert fixed["failed"] == 0
    assert len(fixed["repairs"]) >= 2
    assert desk.local.read_text() == settings
    assert list(desk.state.glob("leeboard.db.damaged-*"))


@pytest.mark.parametrize("place", ["file", "/proc/nope"])
def test_a_state_that_can_not_be_used_fails_with_the_next_step(desk: Desk, place: str) -> None:
    desk.ok("init", "-q")
    (desk.repo / "file").write_text("")
    where = {"LEEBOARD_STATE_DIR": place if place.startswith("/") else str(desk.repo / place)}
    ran = desk.run("doctor", "--json", env=where)
    assert ran.code == 1
    failed = {check["about"]: check["detail"] for check in ran.objects if check.get("state") == "failed"}
    assert set(failed) == {"state", "database"}
    assert "set LEEBOARD_STATE_DIR" in failed["state"]


def test_old_misses_are_set_aside_and_kept(desk: Desk) -> None:
    desk.ok("init", "-q")
    (desk.state / "misses.log").write_text("2026-01-31T08:00:00Z Stop StateError: x\n")
    assert "1 hook went unanswered" in " ".join(desk.ok("doctor").out.split())
    assert "every hook was answered" in desk.ok("doctor", "--fix").out
    (aside,) = desk.state.glob("misses-*.log")
    assert aside.read_text() == "2026-01-31T08:00:00Z Stop StateError: x\n"


def test_it_promises_only_the_repairs_it_makes(desk: Desk) -> None:
    """Hooks that nobody put in are no repair: which settings they belong into is for a person to say."""
    ran = desk.run("doctor")
    assert ran.code == 1
    assert "`leeboard doctor --fix` repairs: state\n" in ran.out
    fixed = desk.run("doctor", "--fix")
    assert fixed.code == 1
    assert "repaired made" in fixed.out
    assert "--fix` repairs" not in fixed.out
    assert "`leeboard init` puts them in" in fixed.out


def test_it_tells_by_whom_hooks_were_really_heard_and_what_went_silent(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="fix app.py")
    desk.edit("src/app.py", "t1")
    told = {one["about"]: one for one in desk.ok("doctor", "--json").objects if one["kind"] == "check"}
    assert told["coverage"]["detail"].startswith("Claude Code: calls of the main agent ")
    assert "sub-agents not observed yet, linked work trees not observed yet" in told["coverage"]["detail"]
    desk.local.write_text(desk.local.read_text().replace("/leeboard/surfaces/", "/gone/leeboard/surfaces/"))
    checks = [one for one in desk.run("doctor", "--json").objects if one["kind"] == "check"]
    assert [one["state"] for one in checks if one["about"] == "silence"] == ["failed"]
