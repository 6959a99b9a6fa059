"""Sessions as a list and one by one; what is clean says what was looked at."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from leeboard.app.views import sessions
from leeboard.app.views.sessions import session_news, session_page, sessions_page
from leeboard.app.views.trends import TrendCounter
from leeboard.errors import ConfigError
from leeboard.io.places import database
from leeboard.model.session import Drift
from leeboard.store.paging import SessionFilter
from leeboard.store.sqlite import open_store
from tests.web_showcase import Showcase


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Showcase:
    made = Showcase(tmp_path, monkeypatch)
    made.with_sessions()
    return made


def test_the_list_goes_on_where_it_ended(world: Showcase) -> None:
    first = sessions_page(SessionFilter(), limit=1)
    assert first.following is not None
    second = sessions_page(SessionFilter(project=str(world.workshop)), first.following, limit=1)
    assert [page.rows[0].id for page in (first, second)] == ["a901-clean", "7f3c-drifting"]
    assert second.following is None
    assert first.rows[0].is_running
    assert second.rows[0].drifted == 3


@pytest.mark.usefixtures("world")
def test_one_with_its_events_and_what_was_found() -> None:
    page = session_page("7f3c-drifting")
    said = [event for event in page.events if event.message]
    assert said[0].subject == "src/styles/theme.css"
    assert ("tangent", "LB-S002") in said[0].rules
    assert any(event.findings and event.trace for event in page.events)
    assert page.quiet == sum(event.is_quiet for event in page.events)
    assert page.inspected.scored == page.row.scored
    with pytest.raises(ConfigError):
        session_page("nobody")


def test_pages_of_events_and_what_came_since(world: Showcase, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = session_page("7f3c-drifting").events
    monkeypatch.setattr(sessions, "EVENTS", 5)
    seen: list[sessions.ShownEvent] = []
    drawn: list[Drift] = []
    before = 0
    while True:
        page = session_page("7f3c-drifting", before)
        seen += page.events
        drawn += page.history if before else ()
        before = page.older
        if not before:
            break
    assert [event.row for event in seen] == [event.row for event in whole]
    assert drawn, "a page of older events draws its own checks"
    assert {check.timestamp for check in drawn} <= {event.time for event in seen[5:]}
    with closing(open_store(database())) as store:
        news = session_news(store, "7f3c-drifting", whole[3].row)
        assert news is not None
        assert ([event.row for event in news.events], news.more) == ([event.row for event in whole[2::-1]], False)
        assert session_news(store, "nobody", 0) is None
    world.drifting.read("src/auth/token.py")


@pytest.mark.usefixtures("world")
def test_trends_count_each_session_once() -> None:
    counter = TrendCounter()
    page = counter.page()
    rules = {rule.rule: rule for rule in page.rules}
    assert (rules["tangent"].found, rules["tangent"].spoken, rules["tangent"].fixed) == (3, 2, 1)
    assert sum(rules["tangent"].days) == 3
    (project,) = page.projects
    assert (project.name, project.sessions, project.drifted) == ("workshop", 2, 3)
    assert counter.page() == page
