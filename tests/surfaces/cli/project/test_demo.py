from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from leeboard.app.replay import play

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_story_is_told_to_its_end(desk: Desk) -> None:
    out = desk.ok("demo").out
    story = [
        "Fix the auth bug",
        "DO NOT modify the schema",
        "src/auth/token.ts",
        "src/users/profile.ts",
        "leeboard tells the agent",
        "src/styles/theme.css",
        "mode NORMAL to DRIFTED",
        "leeboard tells the agent",
        "src/components/Button.tsx",
        "mode DRIFTED to FORCED",
        "db/schema.sql",
        "mode FORCED to NORMAL",
        "src/auth/session.ts",
        "report",
        "needs-review, had-drift",
        "next: leeboard init",
    ]
    at = -1
    for part in story:
        at = out.find(part, at + 1)
        assert at >= 0, part


def test_it_fits_a_narrow_pipe_and_leaves_nothing_behind(desk: Desk) -> None:
    out = desk.ok("demo", env={"COLUMNS": "80"}).out
    assert "\x1b" not in out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert list(desk.home.iterdir()) == []


def test_programs_get_what_replay_gives(desk: Desk) -> None:
    found = desk.ok("demo", "--json").objects
    assert found[-1]["kind"] == "summary"
    refused = [one for one in found[:-1] if one["action"] == "DENY"]
    assert found[-1]["denied"] == len(refused)
    assert {path for one in refused for path in one["paths"]} <= {"db/schema.sql"}, "the default profile"


def test_the_recording_is_whole() -> None:
    from importlib import resources  # noqa: PLC0415 - the package data is what this test is about

    data = (resources.files("leeboard.surfaces.cli.project") / "demo_session.jsonl").read_bytes()
    assert play(data).skipped_lines == 0
    assert b"/home/dev/harbour-web" in data


def test_the_readme_shows_what_it_really_says(desk: Desk) -> None:
    readme = (Path(__file__).resolve().parents[4] / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(<leeboard .*?</leeboard>)\n```", readme, re.DOTALL)
    said = [verdict.get("message") for verdict in desk.ok("demo", "--json").objects]
    assert shown == next(filter(None, said)), "put the first correction of `leeboard demo --fast` into README.md"
