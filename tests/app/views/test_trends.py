"""How often a rule was right, as people said, and what they let stand."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.allowances import new_allowance
from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.opinions import write_opinion
from leeboard.app.views.trends import TrendCounter
from leeboard.io.places import database
from leeboard.store.sqlite import open_store
from tests.web_showcase import Showcase


def test_opinions_and_allowances_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = Showcase(tmp_path, monkeypatch)
    assert TrendCounter().page().sessions == 0
    world.with_sessions()
    for at, opinion in enumerate(("yes", "yes", "no")):
        remark = Remark(
            id=f"r{at}",
            session="s",
            file="",
            turn=at,
            tool_use_id="",
            action="INJECT",
            rules=("tangent",),
            score=4,
            level="correct",
            paths=(),
            goal="",
            message="",
        )
        write_opinion(remark, opinion)
    with closing(open_store(database())) as store:
        store.allow(new_allowance(rule="tangent", reason="so it is", until=""), str(world.workshop))
        store.allow(new_allowance(fingerprint="tangent:abc", reason="this once", until=""), str(world.workshop))
        past = new_allowance(fingerprint="tangent:def", reason="for a day", until="")
        store.allow(replace(past, until=1.0), str(world.workshop))
    rules = TrendCounter().page().rules
    assert [rule.rule for rule in rules if rule.found < rule.spoken] == [], "what was said was found"
    (tangent,) = [rule for rule in rules if rule.rule == "tangent"]
    assert (tangent.right, tangent.wrong) == (2, 1)
    assert (tangent.accepted, tangent.overruled) == (2, 1), "also what has run out since"
    assert tangent.precision == pytest.approx(2 / 3)
    assert tangent.between is not None
    assert tangent.between[0] < 2 / 3 < tangent.between[1]
