"""Fifty processes that analyse for a while and then answer: with one store between them, and with none."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.handle import RunSetting, handle
from leeboard.clients.claude_code.hooks import parse, render
from leeboard.model.policy import Policy
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from leeboard.surfaces import edge
from tests.hook_process import edit

ROUNDS = 5
PROCESSES = 50
ANALYSIS_SECONDS = 0.03

_rounds = count()


def measure() -> Iterator[Ratio]:
    edge.load_everything()
    with tempfile.TemporaryDirectory(prefix="lb") as folder, environment({"LEEBOARD_STATE_DIR": folder}):
        parts = {"stored": lambda: _at_once(stored=True), "bare": lambda: _at_once(stored=False)}
        taken = in_turns(parts, ROUNDS)
    detail = f"{milliseconds(taken['stored'])} / {milliseconds(taken['bare'])}"
    name = f"{PROCESSES} processes with a store / without"
    yield Ratio(name=name, ratio=taken["stored"] / taken["bare"], aim=2.0, detail=detail)


@contextmanager
def environment(env: Mapping[str, str]) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _at_once(*, stored: bool) -> None:
    """All of them wait for one pipe to close; over when the last has ended."""
    round_ = next(_rounds)
    waits, starts = os.pipe()
    children = [_child(f"r{round_}-{number}", waits, starts, stored=stored) for number in range(PROCESSES)]
    os.close(waits)
    os.close(starts)
    failed = [child for child in children if os.waitpid(child, 0)[1] != 0]
    if failed:
        raise RuntimeError(f"{len(failed)} processes failed")


def _child(call: str, waits: int, starts: int, *, stored: bool) -> int:
    child = os.fork()
    if child:
        return child
    os.close(starts)
    os.read(waits, 1)
    try:
        _analyse()
        payload = edit(call, f"/repo/src/auth/{call}.py")
        if stored:
            edge.answer(payload, {})
        else:
            _answer_without_a_store(payload)
        os._exit(0)
    finally:
        os._exit(1)


def _analyse() -> None:
    end = time.process_time() + ANALYSIS_SECONDS
    while time.process_time() < end:
        pass


def _answer_without_a_store(payload: bytes) -> None:
    call = parse(payload, 0.0)
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(), rules=discover())
    verdict = handle(call.events, call.moment, MemoryStore(), setting)
    if verdict is not None:
        render(verdict, call)
