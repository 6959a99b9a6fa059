from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_newest_session_of_this_project(drifted: Desk) -> None:
    out = drifted.ok("report").out
    for part in ("session-1", "src/auth/token.ts", "needs-review", "CORRECTION", "src/styles/theme.css", "WORST"):
        assert part in out


def test_the_three_forms_agree(drifted: Desk) -> None:
    (found,) = drifted.ok("report", "session-1", "--json").objects
    text = drifted.ok("report", "--markdown").out
    assert found["final_score"] < 8
    assert f"Final score: {found['final_score']}/10" in text
    assert found["corrections"][0]["id"] in text
    assert [row["path"] for row in found["files"]] == ["src/styles/theme.css", "src/auth/token.ts"]


def test_it_fails_only_when_asked_to(drifted: Desk) -> None:
    assert drifted.run("report", "--fail", "--json").code == 1


def test_where_nothing_is_known_the_next_step_is_named(desk: Desk, drifted: Desk) -> None:
    ran = desk.run("report")
    assert ran.code == 2
    assert "`leeboard init`" in ran.err
    assert drifted.run("report", "nonesuch").code == 2
