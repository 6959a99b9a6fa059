"""`leeboard open`: where an intent is shown, and what is said where nobody may know an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.projects import project_key
from leeboard.surfaces.cli.project.open import _place
from tests.flow_desk import SLUG, FlowDesk
from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def flow_at_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.begin()
    return made


def test_the_review_of_an_intent_is_named_by_its_key(flow_at_shape: FlowDesk) -> None:
    assert _place("") == ""
    assert _place(SLUG) == f"/p/{project_key(str(flow_at_shape.root))}/i/{SLUG}"


def test_an_agent_is_told_nothing(desk: Desk) -> None:
    ran = desk.run("open", "--print", env={"CLAUDECODE": "1"})
    assert (ran.code, ran.out) == (2, "")
    assert "token" not in ran.err
