from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leeboard.app.team.refresh import copied_steps, decline, refresh
from leeboard.app.team_files import steps_file
from leeboard.settings.team import TeamSettings
from leeboard.store.sqlite import SqliteStore
from leeboard.store.team import outbox
from leeboard.store.team.postgres import TeamDatabase, connected
from tests.store.conftest import path, store
from tests.store.team.test_recall import step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.team_server import TeamServer

__all__ = ["path", "store"]
_ALLOW = "INSERT INTO leeboard.allowances VALUES ('shop', '{0}', '{1}', '{3}', '', 'why', {2}, 'Kim', false, 'lee', 'there', 1)"


@pytest.fixture
def remote(team_server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TeamDatabase]:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))
    with connected(team_server.member("kim", "shop")) as connection:
        yield connection


def test_what_is_taken_in_follows_the_team(store: SqliteStore, remote: TeamDatabase, team_server: TeamServer) -> None:
    team = TeamSettings(url="", projects={"shop": "/work/shop", "bank": "/work/bank"})
    outbox.open_outbox(store.pages)
    team_server.member("lee", "shop", "allow")
    shared = [("a1", "circling", 0, "src/**"), ("a2", "scope_drift", 99e9, "docs/")]
    none = [("a3", "no_such_rule", 0, "src/"), ("a4", "", 0, "src/"), ("a5", "lost_work", 0, "src/")]
    everything = [("a6", "circling", 0, ""), ("a7", "scope_drift", 0, "**/*"), ("a8", "scope_drift", "'inf'", "src/")]
    for made in (*shared, *none, *everything):
        team_server.execute(_ALLOW.format(*made))
    remote.put([step("one", 1)], "there")  # type: ignore[list-item] # built by the helper
    refresh(store.pages, remote, team)
    known = store.allowances("/work/shop", "", 1.0)
    assert [(one.id, one.by) for one in known] == [("ta1", "Kim (lee, team)"), ("ta2", "Kim (lee, team)")]
    assert copied_steps("shop") == 1
    assert copied_steps("bank") == 0

    team_server.execute("UPDATE leeboard.members SET may_allow = false")
    refresh(store.pages, remote, team)
    assert store.allowances("/work/shop", "", 1.0) == (), "whoever may share no more has shared nothing"
    team_server.execute("UPDATE leeboard.members SET may_allow = true")

    decline(store.pages, "ta1")
    refresh(store.pages, remote, team)
    assert [one.id for one in store.allowances("/work/shop", "", 1.0)] == ["ta2"]
    with open(steps_file("shop"), "wb") as file:  # noqa: PTH123 - a text
        file.write(b"no database at all, but long enough to be looked at" * 40)
    team_server.execute("UPDATE leeboard.allowances SET revoked = true")
    refresh(store.pages, remote, team)
    assert store.allowances("/work/shop", "", 1.0) == ()
    assert copied_steps("shop") == 1
