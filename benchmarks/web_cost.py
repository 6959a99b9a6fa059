"""What a page costs as more is recorded: 10,000 sessions in a list, 50,000 events in one, 200 sessions at work."""

from __future__ import annotations

import http.client
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

from msgspec.structs import replace

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.io.places import database
from leeboard.model.outcome import Outcome, Step
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Verdict
from leeboard.store.rows import write_outcome
from leeboard.store.sqlite import SqliteStore, open_store
from tests.web_desk import WebDesk, served

ROUNDS = 15
FEW, MANY = 100, 10_000
SHORT, LONG = 500, 50_000
RUNNING, STORED = 200, 60
SECONDS = 0.25
"""What is fast enough for somebody who watches: a page shows an event within this time of its commit."""


def measure() -> Iterator[Ratio]:
    with _place("few", FEW, SHORT) as few, _place("many", MANY, LONG) as many:
        pages = {
            "list": "/sessions",
            "last page of the list": "/sessions?after=0x1.0p%2B7-40",
            "session": "/session?id=long",
            "session, far back": "/session?id=long&before={first}",
        }
        for name, path in pages.items():
            taken = in_turns(
                {
                    "few": partial(_asked, few, path.format(first=FEW + 300)),
                    "many": partial(_asked, many, path.format(first=MANY + 300)),
                },
                ROUNDS,
            )
            detail = f"{milliseconds(taken['many'])} / {milliseconds(taken['few'])}"
            words = f"{name}: {MANY} sessions, {LONG} events / {FEW}, {SHORT}"
            yield Ratio(name=words, ratio=taken["many"] / taken["few"], aim=1.5, detail=detail)
        late = statistics.median(_delays(many))
        words = f"event on an open page / {SECONDS} s, {RUNNING} sessions at work"
        yield Ratio(name=words, ratio=late / SECONDS, aim=1.0, detail=milliseconds(late))


def _asked(desk: WebDesk, path: str) -> None:
    """Both pages are served by this process, and look where the environment says."""
    os.environ |= {"LEEBOARD_STATE_DIR": desk.root, "LEEBOARD_RUNTIME_DIR": desk.root}
    assert desk.get(path).status == 200


@contextmanager
def _place(name: str, sessions: int, events: int) -> Iterator[WebDesk]:
    """A store with so much in it, and a page that shows it."""
    with tempfile.TemporaryDirectory(prefix=f"lb{name}") as folder:
        os.environ |= {"LEEBOARD_STATE_DIR": folder, "LEEBOARD_RUNTIME_DIR": folder}
        with closing(open_store(database())) as store:
            _fill(store, sessions, events)
        with served(folder) as desk:
            yield desk


def _fill(store: SqliteStore, sessions: int, events: int) -> None:
    for first in range(0, sessions, 500):
        with store.pages.writing():
            for number in range(first, min(sessions, first + 500)):
                _put(store, _session(f"s{number}", float(number + 1)), number, 1)
    long = _session("long", float(sessions + 2))
    for first in range(0, events, 5_000):
        with store.pages.writing():
            for number in range(first, min(events, first + 5_000)):
                _put(store, long, number, number + 1)


def _session(name: str, updated: float) -> Session:
    checks = tuple(Drift(10 - at % 6, "none" if at % 6 < 3 else "nudge", updated) for at in range(240))
    return Session(id=name, root="/repo", updated=updated, started=updated, history=checks, events=50_000, scored=240)


def _put(store: SqliteStore, session: Session, number: int, version: int) -> None:
    call = f"t{number}"
    verdict = Verdict(
        id=f"v{session.id}{number}",
        session=session.id,
        agent="",
        turn=number,
        action=Action.ALLOW,
        event="ToolProposed",
        tool_use_id=call,
        score=10 - number % 6,
    )
    step = Step(
        id=f"{session.id}:{call}", session_id=session.id, action_type="edit", files=(f"src/part{number % 97}.py",)
    )
    write_outcome(store.pages, Outcome(session=session, verdict=verdict, steps=(step,)), version)


def _delays(desk: WebDesk) -> list[float]:
    """From the commit of an event to its arrival on an open page, while others commit all the time."""
    os.environ |= {"LEEBOARD_STATE_DIR": desk.root, "LEEBOARD_RUNTIME_DIR": desk.root}
    arrived: dict[str, float] = {}
    listening, ended = threading.Event(), threading.Event()
    listener = threading.Thread(target=_listen, args=(desk, arrived, listening), daemon=True)
    listener.start()
    listening.wait(30)
    others = threading.Thread(target=_others, args=(ended,), daemon=True)
    others.start()
    stored = {}
    with closing(open_store(database())) as store:
        session = replace(_session("watched", 1e9), events=0)
        for number in range(STORED):
            with store.transaction("watched") as transaction:
                transaction.commit(_outcome(session, number))
            stored[f"vwatched{number}"] = time.perf_counter()
            ended.wait(0.02)
        while len(arrived) < STORED:
            ended.wait(0.01)
    ended.set()
    others.join()
    return [arrived[name] - at for name, at in stored.items()]


def _outcome(session: Session, number: int) -> Outcome:
    verdict = Verdict(
        id=f"vwatched{number}",
        session="watched",
        agent="",
        turn=1,
        action=Action.ALLOW,
        event="ToolProposed",
        rules=("tangent",),
    )
    return Outcome(session=replace(session, version=number), verdict=verdict)


def _others(ended: threading.Event) -> None:
    """Two hundred sessions that commit one after the other, as fast as they can."""
    with closing(open_store(database())) as store:
        number = 0
        while not ended.is_set():
            name = f"r{number % RUNNING}"
            with store.transaction(name) as transaction:
                known = transaction.session(name)
                session = replace(_session(name, 2e9), version=known.version if known else 0)
                verdict = Verdict(id=f"v{name}{number}", session=name, agent="", turn=1, action=Action.ALLOW, event="x")
                transaction.commit(Outcome(session=session, verdict=verdict))
            number += 1


def _listen(desk: WebDesk, arrived: dict[str, float], listening: threading.Event) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=120)
    connection.request("GET", "/live?id=watched", headers={"Host": desk.host, "Cookie": f"leeboard={desk.cookie}"})
    came = connection.getresponse()
    listening.set()
    while len(arrived) < STORED and (line := came.readline()):
        if line.startswith(b"data: "):
            now = time.perf_counter()
            for row in json.loads(line[6:]).get("rows", ()):
                found = row["html"].partition("/why?id=")[2].partition('"')[0]
                arrived.setdefault(found, now)
    connection.close()
