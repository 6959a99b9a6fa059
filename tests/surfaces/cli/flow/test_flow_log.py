"""`flow log`: who did what and when, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow_desk import FlowDesk


def test_what_happened_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_stage_gate()
    desk.ok("review", "--request-changes", "The left one has no end.")
    entries = [json.loads(line) for line in desk.ok("log", "--json").splitlines()]
    assert [each["at"] for each in entries] == sorted((each["at"] for each in entries), reverse=True)
    assert entries[-1]["what"] == "the intent was made"
    asked = next(each for each in entries if each["text"] == "The left one has no end.")
    assert asked["who"]
    assert "stage build" in asked["what"]
    said = desk.ok("log")
    assert "unit-01-left was begun" in said
    assert "The left one has no end." in said
    assert len(desk.ok("log", "--skip", "2", "--json").splitlines()) == len(entries) - 2
    assert "There is no intent" in desk.denied("log", "--intent", "gone", code=2)
