from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.person.gate import forget_shown, keep_shown, unseen
from leeboard.app.views.plan import mark_of
from leeboard.io import clock
from tests.flow_desk import FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_plan_gate()
    return made


def change(desk: FlowDesk) -> None:
    page = desk.root / ".haiku/intents/thing/stages/build/units/unit-01-left.md"
    page.write_text(page.read_text().replace("Write left.txt.", "Write anything."))


def code(desk: FlowDesk, named: str = "") -> str:
    refusal = unseen(str(desk.root), desk.plan_now, named)
    return refusal.code if refusal else ""


def test_what_was_shown_is_held_against_what_is_there(desk: FlowDesk) -> None:
    plan = desk.plan_now
    assert code(desk) == "", "nothing was shown"
    keep_shown(str(desk.root), plan)
    assert (code(desk), code(desk, mark_of(plan))) == ("", "")
    change(desk)
    assert (code(desk), code(desk, mark_of(plan))) == ("changed_since_shown", "changed_since_shown")
    assert code(desk, mark_of(desk.plan_now)) == "", "they name what is there"
    forget_shown(str(desk.root), plan.intent.slug)
    assert code(desk) == ""


def test_it_is_kept_for_a_day_and_for_this_user_alone(desk: FlowDesk, tmp_path: Path) -> None:
    keep_shown(str(desk.root), desk.plan_now)
    (kept,) = (tmp_path / "state/shown").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    change(desk)
    long_ago = clock.now() - 90_000
    os.utime(kept, (long_ago, long_ago))
    assert code(desk) == ""


def test_where_nothing_is_decided_nothing_is_kept(desk: FlowDesk, tmp_path: Path) -> None:
    desk.as_agent()
    keep_shown(str(desk.root), desk.plan_now)
    desk.as_person()
    desk.ok("review", "--approve")
    desk.until("start_units")
    keep_shown(str(desk.root), desk.plan_now)
    assert mark_of(desk.plan_now) == ""
    assert not (tmp_path / "state/shown").exists()
