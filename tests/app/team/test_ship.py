from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.app.team.ship import (
    LONGEST_WAIT,
    needed_team,
    run_detached,
    ship,
    ship_while_idle,
    status,
    team_settings,
)
from leeboard.app.team_files import roots
from leeboard.errors import BusyError, ConfigError, EffectError
from leeboard.io import clock, places
from leeboard.io.file import file_lock
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.store.team import outbox
from tests.store_suite import a_session, a_step, keep

if TYPE_CHECKING:
    from tests.team_server import TeamServer


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    (tmp_path / "config").mkdir()
    (tmp_path / "shop").mkdir()
    return tmp_path


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    with closing(open_store(places.database())) as store:
        keep(store, a_session(root=str(home / "shop")), a_step("one"))
        yield store


def configure(home: Path, url: str) -> None:
    text = f'[team]\nurl = "{url}"\n[team.projects]\nshop = "{home}/shop"\n'
    (home / "config" / "leeboard.toml").write_text(text)


def test_without_a_team_nothing_is_done_and_a_command_says_where_it_is_set(store: SqliteStore, home: Path) -> None:
    assert team_settings(os.environ) is None
    assert not ship_while_idle(os.environ)
    assert not outbox.is_open(store.pages)
    with pytest.raises(ConfigError, match=str(home / "config" / "leeboard.toml")):
        needed_team()


@pytest.mark.usefixtures("store")
def test_what_waits_is_copied_and_counted(home: Path, team_server: TeamServer) -> None:
    configure(home, team_server.member("kim", "shop"))
    team = needed_team()
    assert roots(team) == {str(home / "shop"): "shop"}
    assert ship(team).copied == 2
    assert ship(team).copied == 0
    assert team_server.execute("SELECT id FROM leeboard.steps") == [("one",)]
    told = status(team)
    assert (told.waiting, told.shipped, told.failures, bool(told.last)) == (0, 2, 0, True)


def test_a_failure_keeps_everything_and_waits_longer_each_time(
    store: SqliteStore, home: Path, team_server: TeamServer
) -> None:
    configure(home, "postgresql://kim@127.0.0.1:1/x")
    waits = []
    for _ in range(12):
        with pytest.raises(EffectError, match="refused"):
            ship(needed_team())
        waits.append(float(outbox.state(store.pages)["next_try"]) - clock.now())
    assert 0 < waits[0] <= 10 < waits[1] <= 20 < waits[-1] <= LONGEST_WAIT
    told = status(needed_team())
    assert (told.waiting, told.shipped, told.failures) == (2, 0, 12)
    assert "refused" in told.error
    assert told.next_try
    configure(home, team_server.member("kim", "shop"))
    run_detached()
    assert status(needed_team()).waiting == 2  # it is not time yet
    outbox.keep_state(store.pages, next_try="0")
    niceness = os.nice(0)
    run_detached()
    assert os.nice(0) >= niceness
    assert (status(needed_team()).waiting, status(needed_team()).failures) == (0, 0)


@pytest.mark.usefixtures("store")
def test_one_process_ships_at_a_time(home: Path, team_server: TeamServer) -> None:
    configure(home, team_server.member("kim", "shop"))
    with file_lock(str(home / "state" / "team.lock")), pytest.raises(BusyError):
        ship(needed_team())


def test_while_idle_a_process_is_started_when_something_is_due(
    store: SqliteStore, home: Path, team_server: TeamServer
) -> None:
    configure(home, team_server.member("kim", "shop"))
    assert ship_while_idle(os.environ)
    with file_lock(str(home / "state" / "team.lock"), 30.0):
        pass  # it may not have begun yet
    ship(needed_team())
    assert team_server.execute("SELECT id FROM leeboard.steps") == [("one",)]
    assert not ship_while_idle(os.environ)
    (home / "config" / "leeboard.toml").write_text("[team")
    assert not ship_while_idle(os.environ)
    assert outbox.is_open(store.pages)  # a slip is no farewell
    (home / "config" / "leeboard.toml").unlink()
    keep(store, a_session("s2", root=str(home / "shop")), a_step("two", session_id="s2"))
    assert not ship_while_idle(os.environ)
    assert not outbox.is_open(store.pages)
    assert outbox.count_waiting(store.pages) == 0
