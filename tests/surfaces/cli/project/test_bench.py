from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_it_tells_what_hooks_really_took(drifted: Desk) -> None:
    (found,) = drifted.ok("bench", "--json").objects
    by_name = {one["name"]: one for one in found["events"]}
    assert by_name["PreToolUse"]["count"] == 2
    assert by_name["all hooks"]["count"] == sum(one["count"] for one in found["events"]) / 2
    assert all(0 < one["median"] <= one["p95"] <= one["most"] for one in found["events"])
    out = drifted.ok("bench").out
    assert "PreToolUse" in out
    assert "hooks answered" in out


def test_before_any_hook_it_says_what_to_look_at(desk: Desk) -> None:
    assert "leeboard init" in desk.run("bench").err
    desk.ok("init", "-q")
    desk.run("allow", "x", "--reason", "y", env={"CLAUDECODE": "1"})
    ran = desk.run("bench")
    assert ran.code == 2
    assert "no hook was answered here yet" in ran.err
