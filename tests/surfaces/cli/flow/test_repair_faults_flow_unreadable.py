"""Files of a plan that can not be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.guard import DoctorCheck
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.repository import Repository
from leeboard.surfaces.cli.flow.repair import UNREADABLE, unreadable
from tests.flow_desk import SLUG, FlowDesk

UNIT = f".haiku/intents/{SLUG}/stages/shape/units/unit-01-shape.md"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    return made


def found(desk: FlowDesk, *, git: bool = True) -> list[DoctorCheck]:
    place = layout.place_of(str(desk.root))
    assert place is not None
    return list(unreadable(PlanFolder(str(desk.root)), Repository(place) if git else None, desk.plan_now))


def test_a_plan_that_can_be_read_has_none(desk: FlowDesk) -> None:
    assert found(desk) == []


def test_the_newest_version_that_can_be_read_is_named(desk: FlowDesk) -> None:
    good = (desk.root / UNIT).read_text()
    commit = desk.repository.run("log", "-1", "--format=%h", "--", UNIT).strip()
    desk.repository.write(UNIT, "---\ntitle: [\n---\n")
    desk.repository.commit("broken, and committed")
    (fault,) = found(desk)
    assert (fault.about, fault.state) == (UNREADABLE, "failed")
    assert f"`git show {commit}:{UNIT}`" in fault.detail
    assert fault.repair is not None
    assert fault.repair().startswith(f"brought back from {commit}")
    assert (desk.root / UNIT).read_text() == good
    assert found(desk) == []


def test_without_git_it_is_named_and_left(desk: FlowDesk) -> None:
    desk.repository.write(UNIT, "---\ntitle: 'x\n---\n")
    (fault,) = found(desk, git=False)
    assert (fault.repair, "git show" in fault.detail, "line 3" in fault.detail) == (None, False, True)


def test_a_finding_is_a_page_too(desk: FlowDesk) -> None:
    desk.repository.write(f".haiku/intents/{SLUG}/feedback/01-x.md", "---\ntitle: [\n---\n")
    (fault,) = found(desk)
    assert fault.about == UNREADABLE


def test_a_state_is_named_once(desk: FlowDesk) -> None:
    state = f".haiku/intents/{SLUG}/stages/shape/state.json"
    desk.repository.write(state, "{")
    (fault,) = found(desk)
    assert fault.detail.startswith(f"{desk.root}/{state}: not valid JSON")
