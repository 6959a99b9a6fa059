from __future__ import annotations

import json

import pytest

from leeboard.app import rule_times
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
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(), rules=rule_times.timed(discover()))
    return handle(call.events, call.moment, MemoryStore(), setting)


def test_what_rules_took_is_told_by_their_names_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr(clock, "monotonic", lambda: float(next(ticks)))
    rule_times.begin()
    assert judged("leeboard allow x --reason y") is not None
    told = json.loads(rule_times.slow_rules())
    assert 0 < len(told) <= rule_times.MOST
    assert set(told) <= {one.id for one in discover()}
    assert set(told.values()) == {1000.0}
    rule_times.begin()
    assert rule_times.slow_rules() == ""


def test_timing_changes_no_verdict() -> None:
    assert rule_times.timed(discover()) is rule_times.timed(discover())
    verdict = judged("leeboard allow x --reason y")
    assert getattr(verdict, "rules", ()) == ("self_allowance",)
