from __future__ import annotations

from typing import TYPE_CHECKING

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
