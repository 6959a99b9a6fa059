"""`flow archive`, `abandon`, `delete`: a person's, asked for once more, and said what is kept."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    return made


def test_only_people_give_work_up(desk: FlowDesk) -> None:
    desk.as_agent()
    assert "only a person may run `leeboard flow delete`" in desk.denied("delete", SLUG, "--yes", code=2)
    said = desk.denied("abandon", SLUG, "--reason", "x", "--yes", code=2)
    assert "only a person may run `leeboard flow abandon`" in said
    desk.as_person()
    assert desk.plan_now.intent.archived is False


def test_abandoned(desk: FlowDesk) -> None:
    assert "--reason is empty" in desk.denied("abandon", SLUG, "--reason", " ", code=2)
    said = " ".join(desk.ok("abandon", "--reason", "Not needed.", "--yes").split())
    assert "thing is given up" in said
    assert f"kept branch haiku/{SLUG}/main with everything that was merged into it" in said
    assert desk.repository.run("branch", "--show-current") == "main"


def test_deleted_only_with_its_name(desk: FlowDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("other\n"))
    ran = desk.flow("delete", SLUG)
    assert ran.code == 2
    assert "'other' is not 'thing': nothing was deleted" in ran.err
    assert desk.plan_now.intent.slug == SLUG
    told = desk.told("delete", SLUG, "--yes")
    assert told["intent"] == SLUG
    assert f"branch haiku/{SLUG}/main" in told["gone"]
    assert desk.repository.run("branch", "--format=%(refname:short)") == "main"


def test_what_is_completed_is_given_up_by_its_name_alone(desk: FlowDesk) -> None:
    """Its branch may still be checked out while somebody means another one."""
    (page,) = [path for path in Path(desk.repository.root).rglob("intent.md") if path.parent.name == SLUG]
    page.write_text(page.read_text().replace("status: active", "status: completed", 1))
    said = desk.denied("abandon", "--reason", "Not needed.", "--yes", code=2)
    assert "thing, whose branch is checked out, is completed; name the intent to give up" in said
