"""What an event costs in a long session, against the same event in a short one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import msgspec

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.handle import RunSetting, handle
from leeboard.model.event import Event, PromptGiven, TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.lookup import Store
from leeboard.model.policy import Policy
from leeboard.model.verdict import Action, Moment
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import open_store

ROUNDS = 30
BATCH = 50
LONG = int(os.environ.get("EVENTS", "0"))
"""`make bench growth EVENTS=100000` grows both that long."""
MEMORY = (1_000, LONG or 30_000)
DISK = (1_000, LONG or 6_000)
"""Long enough to see a cost that grows (every window is full after a few hundred), short enough to end in minutes."""
ROOM = 64 * 1024

_MOMENT = Moment(kind="after_call", actions=(Action.ALLOW, Action.INJECT))
_FOLDERS = ("src/auth", "src/auth/tokens", "tests/auth", "docs", "src/styles", "src/api/v2")


def measure() -> Iterator[Ratio]:
    memory = MemoryStore()
    yield from _flat("memory", memory, MEMORY)
    size = max(len(msgspec.json.encode(memory.session(f"s{length}"))) for length in MEMORY)
    yield Ratio(name="stored session / 64 KB", ratio=size / ROOM, aim=1.0, detail=f"{size} bytes")
    with tempfile.TemporaryDirectory(prefix="lb") as folder, closing(open_store(str(Path(folder, "l.db")))) as disk:
        yield from _flat("SQLite", disk, DISK)


def _flat(name: str, store: Store, lengths: tuple[int, ...]) -> Iterator[Ratio]:
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(), rules=discover())
    parts = {str(length): _batches(store, setting, f"s{length}", length) for length in lengths}
    taken = in_turns(parts, ROUNDS)
    first = taken[str(lengths[0])]
    for length in lengths[1:]:
        detail = f"{milliseconds(taken[str(length)] / BATCH)} / {milliseconds(first / BATCH)} an event"
        words = f"event {length} / event {lengths[0]}, {name}"
        yield Ratio(name=words, ratio=taken[str(length)] / first, aim=1.3, detail=detail)


def _batches(store: Store, setting: RunSetting, session: str, length: int) -> Callable[[], None]:
    """A session grown to that length, and what adds a further batch to it."""
    events = _events(session)

    def more(many: int = BATCH) -> None:
        for _ in range(many):
            handle((next(events),), _MOMENT, store, setting)

    more(length)
    return more


def _events(session: str) -> Iterator[Event]:
    """A session that never ends: a prompt now and then, edits that mostly belong to it, results."""
    for number in count():
        if number % 100 == 0:
            text = f"fix the auth bug number {number} in src/auth"
            yield PromptGiven(session=session, key=f"prompt:{number}", text=text, time=float(number))
        path = f"/repo/{_FOLDERS[number % len(_FOLDERS)]}/part{number % 997}.py"
        edits = (TextEdit(f"value_{number} = old_name()", f"value_{number} = new_name({number})"),)
        call = ToolCall(id=f"t{number}", tool="Edit", action="edit", paths=(path,), edits=edits)
        yield ToolProposed(session=session, key=f"call:t{number}", call=call, time=float(number))
        yield ToolFinished(session=session, key=f"result:t{number}", call=call, outcome="done", time=float(number))
