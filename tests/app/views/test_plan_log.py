"""What happened, newest first, a page at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.person.answer import say
from leeboard.app.plan.engine import Engine
from leeboard.app.views import plan_log
from tests.flow_desk import SLUG, FlowDesk


def test_it_is_told_in_order_and_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.through_shape()
    engine = Engine(str(flow.root))
    say(engine, SLUG, "As short as it can be.")
    whole = plan_log.plan_log(engine, engine.look(SLUG))
    times = [entry.at for entry in whole.entries]
    assert times == sorted(times, reverse=True)
    assert whole.entries[-1].what == "the intent was made"
    assert ("a person", "As short as it can be.") in {(entry.who, entry.text) for entry in whole.entries}
    monkeypatch.setattr(plan_log, "ENTRIES", 2)
    first = plan_log.plan_log(engine, engine.look(SLUG))
    assert (len(first.entries), first.older) == (2, len(whole.entries) - 2)
    assert plan_log.plan_log(engine, engine.look(SLUG), skip=2).entries[0] == whole.entries[2]
