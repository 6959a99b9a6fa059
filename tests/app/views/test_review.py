"""All that a person looks at before they decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.person.gate import note
from leeboard.app.views.plan_log import plan_log
from leeboard.app.views.projects import WaitingWatch, known_projects, project_key, waiting_here
from leeboard.app.views.review import review_page
from leeboard.plan.machine.feedback_moves import FeedbackDraft, feedback_new
from tests.web_showcase import SLUG, UNITS, Showcase


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Showcase:
    return Showcase(tmp_path, monkeypatch)


def test_a_gate_with_everything_around_it(world: Showcase) -> None:
    world.at_gate(UNITS[:1])
    engine = world.engine(world.harbour)
    page = review_page(engine, SLUG)
    assert page.gate is not None
    assert page.gate.decisions == ("approved", "changes_requested", "external_review")
    assert "1 of 1 unit completed, 1 of 1 quality gate passed, 1 review" in page.asked
    assert page.follows["approved"] == "stage ship begins"
    (file,) = page.files
    assert (file.path, file.units) == ("splitting.py", ("unit-01-splitting",))
    (report,) = page.reports
    assert (report.agent, report.moved_on, len(report.saw)) == ("critic", False, 12)
    assert "**Splitting** keeps apostrophes" in report.text
    (world.harbour / "other.txt").write_text("more\n")
    world.commit(world.harbour, "more")
    assert review_page(engine, SLUG).reports[0].moved_on
    log = [(entry.who, entry.what) for entry in plan_log(engine, engine.look(SLUG)).entries]
    assert ("kim", "approved: the plan of stage build") in log
    assert ("critic", "reviewed stage build: pass") in log


def test_before_the_work_begins_and_what_was_asked(world: Showcase) -> None:
    engine = world.engine(world.harbour)
    slug = engine.create("Count", "Words.", SLUG)
    page = review_page(engine, slug)
    assert page.gate is None
    assert page.question is not None
    assert page.question.chooses == "studio"
    assert "small" in [name for name, _ in page.question.choices]
    draft = FeedbackDraft(title="Why?", body="Say why.", origin="user-question", resolution="question")
    assert note(engine, slug, lambda plan, now: feedback_new(plan, draft, now, by_person=True)) is None
    (asked,) = review_page(engine, slug).requests
    assert (asked.title, asked.is_open, asked.of_a_person) == ("Why?", True, True)


def test_what_waits_is_found_in_every_project_and_looked_for_again_only_where_it_changed(world: Showcase) -> None:
    world.at_gate(UNITS[:1])
    world.with_changes()
    known = known_projects((str(world.workshop),))
    assert {project.name for project in known} == {"harbour", "lighthouse", "workshop"}
    watch = WaitingWatch()
    found = {work.intent: work for work in watch.look(known)}
    assert (found[SLUG].kind, found[SLUG].stage) == ("gate", "build")
    assert found["show-tides"].kind == "changes"
    assert watch.look(known) == tuple(found.values())
    world.approve(world.harbour, SLUG)
    assert [work.intent for work in watch.look(known)] == ["show-tides"]
    assert waiting_here(str(world.harbour)) == ()
    assert project_key(str(world.harbour)) != project_key(str(world.lighthouse))
