from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import keep_crash


def test_the_report_is_the_users_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    told = keep_crash(ValueError("odd"))
    (report,) = (tmp_path / "state" / "crashes").iterdir()
    assert str(report) in told
    assert report.stat().st_mode & 0o077 == 0
    assert "ValueError: odd" in report.read_text()


def test_without_a_place_for_the_report_the_reason_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "file"))
    told = keep_crash(ValueError("odd"))
    assert "odd" in told
    assert "could not be written" in told
