"""All intents of a project, also those on branches of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_there_are_none(desk: FlowDesk) -> None:
    assert desk.ok("status") == "no intent here; `leeboard flow new TITLE` begins one\n"


def test_one_on_another_branch_is_listed_with_the_way_there(desk: FlowDesk) -> None:
    desk.through_shape()
    desk.repository.run("add", "--all")
    desk.repository.run("commit", "-q", "--allow-empty", "-m", "all of it")
    desk.repository.run("switch", "-q", "main")
    for words in (("status",), ("status", "--all")):
        (row,) = desk.ok(*words).splitlines()[1:]
        assert row.split(maxsplit=2) == [
            SLUG,
            "elsewhere",
            f"on branch haiku/{SLUG}/main: `git switch haiku/{SLUG}/main`",
        ]
    told = desk.told("status")
    assert told == {"intent": SLUG, "on": f"haiku/{SLUG}/main", "command": f"git switch haiku/{SLUG}/main"}
    desk.begin("other")
    rows = [line.split()[:2] for line in desk.ok("status", "--all").splitlines()[1:]]
    assert rows == [["other", "active"], [SLUG, "elsewhere"]]
