from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.guard import canary


def test_an_installation_that_judges_refuses_the_line(tmp_path: Path) -> None:
    assert canary.canary_trouble(str(tmp_path)) == ""


def test_one_whose_rules_find_nothing_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canary, "discover", tuple)
    assert "must be refused was let pass" in canary.canary_trouble(str(tmp_path))
