"""Many machines copy to one team's database while its server is killed: every row arrives, and arrives once.

`make kills` runs it with 200 writers.
"""

from __future__ import annotations

import os
import random
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from leeboard.app.team.ship import copy_waiting
from leeboard.errors import EffectError
from leeboard.model.outcome import Step
from leeboard.settings.team import TeamSettings
from leeboard.store.database import Database
from leeboard.store.sqlite import open_store
from leeboard.store.team import outbox
from leeboard.store.team.postgres import connected
from tests.store_suite import a_session, a_step, keep

if TYPE_CHECKING:
    from tests.team_server import TeamServer

WRITERS = int(os.environ.get("LEEBOARD_TEAM_WRITERS", "8"))
KILLS = int(os.environ.get("LEEBOARD_TEAM_KILLS", "6"))
ROUNDS, STEPS, BATCH = 3, 8, 5
ROOT, TRIES = "/work/shop", 2_000


class Writer(threading.Thread):
    """One machine: works, and copies what it has done, again and again until all is there."""

    def __init__(self, number: int, folder: Path, url: str, beat: threading.Semaphore, up: threading.Event) -> None:
        super().__init__(daemon=True)
        self.session = f"session-{number}"
        self._path = str(folder / f"{number}.db")
        self._team = TeamSettings(url=url, projects={"shop": ROOT})
        self._beat = beat
        self._up = up
        self._chance = random.Random(number)
        self.kept: list[list[outbox.Waiting]] = []
        self.expected: dict[str, int] = {}
        self.origin = ""
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with closing(open_store(self._path)) as store:
                outbox.open_outbox(store.pages)
                self.origin = outbox.origin(store.pages)
                for _round in range(ROUNDS):
                    steps = [self._step() for _ in range(STEPS)]
                    keep(store, a_session(self.session, root=ROOT), *steps)
                    self.expected |= {step.id: step.drift_score for step in steps}
                    self.kept.append(outbox.next_batch(store.pages, {ROOT: "shop"}, BATCH))
                    self._copy(store.pages)
                assert outbox.count_waiting(store.pages) == 0
        except BaseException as error:  # noqa: BLE001 - told by the thread that waits for this one
            self.failure = error

    def _step(self) -> Step:
        number = self._chance.randrange(STEPS * 2)  # some are written anew
        score = self._chance.randrange(5, 11)
        return a_step(f"{self.session}:{number}", score, session_id=self.session)

    def _copy(self, database: Database) -> None:
        for _ in range(TRIES):
            self._beat.release()
            try:
                copy_waiting(database, self._team, BATCH)
            except EffectError:
                self._up.wait()
                continue
            return
        raise AssertionError("the server never came back")


def test_every_row_arrives_exactly_once(team_server: TeamServer, tmp_path: Path) -> None:
    chance, beat, up = random.Random(7), threading.Semaphore(0), threading.Event()
    up.set()
    url, other = team_server.member("kim", "shop"), team_server.member("mallory", "bank")
    writers = [Writer(number, tmp_path, url, beat, up) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(KILLS):
        for _tried in range(chance.randrange(1, WRITERS)):
            beat.acquire(timeout=1)
        up.clear()
        team_server.kill()
        team_server.start()
        up.set()
    for writer in writers:
        writer.join()
        assert writer.failure is None, writer.failure
    arrived = "SELECT id, drift_score FROM leeboard.steps"
    expected = {step: score for writer in writers for step, score in writer.expected.items()}
    assert sorted(team_server.execute(arrived)) == sorted(expected.items())

    late = [(batch, writer.origin) for writer in writers for batch in writer.kept if batch] * 2
    chance.shuffle(late)
    with connected(url) as remote:
        for batch, origin in late:
            remote.put(chance.sample(batch, len(batch)), origin)
    assert sorted(team_server.execute(arrived)) == sorted(expected.items())
    assert team_server.execute("SELECT count(*) FROM leeboard.records")[0][0] == WRITERS
    with psycopg.connect(other) as stranger:
        for table in ("steps", "records", "members"):
            rows = stranger.execute(f"SELECT * FROM leeboard.{table}".encode()).fetchall()
            assert not [row for row in rows if "shop" in map(str, row)], table
        assert stranger.execute("UPDATE leeboard.steps SET drift_score = 1").rowcount == 0


def test_a_writer_of_another_project_changes_nothing(team_server: TeamServer, tmp_path: Path) -> None:
    team_server.member("kim", "shop")
    team = TeamSettings(url=team_server.member("mallory", "bank"), projects={"shop": ROOT})
    with closing(open_store(str(tmp_path / "own.db"))) as store:
        outbox.open_outbox(store.pages)
        keep(store, a_session(root=ROOT), a_step("one"))
        with pytest.raises(Exception, match="row-level security"):
            copy_waiting(store.pages, team)
        assert outbox.count_waiting(store.pages) > 0
        assert outbox.state(store.pages)["failures"] == "1"
    assert team_server.execute("SELECT * FROM leeboard.steps") == []
