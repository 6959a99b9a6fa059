from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from leeboard.app.views.session import SaidPage, SessionWatch, goal_view, scope_page
from leeboard.app.views.why import SignalPage
from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import Goal, Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.cli.conftest import Desk

SESSION = Session(
    id="s",
    goals=(
        Goal(text="fix auth", exchange=1, scope=("src/auth/",)),
        Goal(text="and the docs", exchange=2, scope=("docs/",)),
    ),
    contract=Contract(
        objective="and the docs",
        scope=("docs/", "src/auth/", "src/lib/"),
        constraints=(Constraint(text="DO NOT push", kind="forbid"),),
    ),
    turns=3,
    scored=4,
    drifted=2,
    last_score=6,
)


def test_what_was_named_and_what_joined_are_told_apart() -> None:
    goal = goal_view(SESSION)
    assert goal.named == ("docs/", "src/auth/")
    assert goal.grown == ("src/lib/",)
    assert goal.first_asked == "fix auth"
    assert [(limit.text, limit.is_judged) for limit in goal.limits] == [("DO NOT push", False)]


def test_a_goal_that_never_changed_was_not_asked_for_twice() -> None:
    assert goal_view(replace(SESSION, goals=(Goal(text="and the docs", exchange=1),))).first_asked == ""


def test_where_nothing_was_recorded_nothing_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    page = scope_page("/project")
    assert (page.scope.session, page.scope.named, page.limits) == (None, (), ())
    assert SessionWatch("/project", 0.0, "", everything=True).look(once=True) == []
    assert not (tmp_path / "state").exists()


def test_the_scope_of_the_newest_session(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(drifted.state))
    scope = scope_page(str(drifted.repo)).scope
    assert (scope.session, scope.named) == ("session-1", ("src/auth/token.ts",))
    assert len(scope.constraints) == 1


def test_a_watch_tells_each_thing_once(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(drifted.state))
    watch = SessionWatch(str(drifted.repo), 0.0, "", everything=True)
    news = watch.look(once=True)
    (said,) = [one.said for one in news if isinstance(one, SaidPage)]
    assert (said.session, said.level, said.how) == ("session-1", "intervene", "told")
    assert not [one for one in news if isinstance(one, SignalPage)]
    assert watch.look(once=True) == []
