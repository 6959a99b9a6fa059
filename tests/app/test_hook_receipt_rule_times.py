from __future__ import annotations

import json

import pytest

from leeboard.app import hook_receipt
from leeboard.app.handle import RunSetting, handle
from leeboard.clients.claude_code.hooks import parse
from leeboard.io import clock
from leeboard.model.policy import Policy
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from tests.hook_process import shell


def judged(line: str) -> object:
    call = parse(shell("t1", line), 0.0)
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(), rules=hook_receipt.timed(discover()))
    return handle(call.events, call.moment, MemoryStore(), setting)


def test_what_rules_took_is_told_by_their_names_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr(clock, "monotonic", lambda: float(next(ticks)))
    hook_receipt.begin_timing()
    assert judged("leeboard allow x --reason y") is not None
    told = json.loads(hook_receipt.slow_rules())
    assert 0 < len(told) <= hook_receipt.MOST
    assert set(told) <= {one.id for one in discover()}
    assert set(told.values()) == {1000.0}
    hook_receipt.begin_timing()
    assert hook_receipt.slow_rules() == ""


def test_timing_changes_no_verdict() -> None:
    assert hook_receipt.timed(discover()) is hook_receipt.timed(discover())
    verdict = judged("leeboard allow x --reason y")
    assert getattr(verdict, "rules", ()) == ("self_allowance",)
