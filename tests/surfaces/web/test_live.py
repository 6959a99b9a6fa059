"""The stream of a page, read line by line: everything comes once, and a lost line is taken up where it broke."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.web_desk import WebDesk, served
from tests.web_showcase import Showcase


@contextmanager
def listening(desk: WebDesk, query: str, last: str = "") -> Iterator[Iterator[tuple[str, str, Any]]]:
    connection = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=60)
    headers = {"Host": desk.host, "Cookie": f"leeboard={desk.cookie}"} | ({"Last-Event-ID": last} if last else {})
    connection.request("GET", f"/live?{query}", headers=headers)
    came = connection.getresponse()
    assert came.status == 200
    assert came.getheader("content-type", "").startswith("text/event-stream")

    def events() -> Iterator[tuple[str, str, Any]]:
        told: dict[str, str] = {}
        while line := came.readline():
            name, colon, value = line.decode().rstrip("\n").partition(": ")
            if colon and name:
                told[name] = value
            elif not line.strip() and "data" in told:
                yield told["event"], told["id"], json.loads(told["data"])
                told = {}

    try:
        yield events()
    finally:
        connection.close()


def test_events_come_once_and_a_lost_line_is_taken_up(world: Showcase) -> None:
    world.with_sessions()
    with served(str(world.workshop)) as desk:
        with listening(desk, "id=7f3c-drifting&after=0") as events:
            kind, place, told = next(event for event in events if event[0] == "events")
            assert kind == "events"
            first = len(told["rows"])
            assert first > 20
            assert "src/auth/token.py" in "".join(row["html"] for row in told["rows"])
        world.drifting.read("src/auth/token.py")
        with listening(desk, "id=7f3c-drifting&after=0", last=place) as events:
            _, later, told = next(event for event in events if event[0] == "events")
            assert int(later) > int(place)
            assert 0 < len(told["rows"]) < first
            world.drifting.edit("src/auth/token.py", "nothing", "like it")
            _, newest, _ = next(event for event in events if event[0] == "events")
            assert int(newest) > int(later)


def test_a_gate_that_opens_is_told_to_every_page(world: Showcase) -> None:
    world.with_sessions()
    with served(str(world.lighthouse)) as desk, listening(desk, "") as events:
        row = next(event for event in events if event[0] == "row")
        assert row[2]["session"] in {"a901-clean", "7f3c-drifting"}
        world.with_changes()
        told = next(event for event in events if event[0] == "waiting")
        assert told[2]["count"] == 1
        assert "Show the tides" in told[2]["html"]
