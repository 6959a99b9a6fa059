from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.page import RANKS, ScanOptions, ScanPage, scan_page
from leeboard.app.scan.target import find_targets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    place = tmp_path / "project"
    place.mkdir()
    (place / "weak.py").write_text("import hashlib\nh = hashlib.md5(password)\n")
    (place / "a.bin").write_bytes(b"\0\1")
    return place


def look(folder: Path, least: str = "log", *, duplicates: bool = False) -> ScanPage:
    targets, missing = find_targets((str(folder),), ignored_too=False)
    assert not missing
    return scan_page(targets, ScanOptions(least=least, jobs=1, duplicates=duplicates), lambda: None)


def test_what_could_not_be_read_is_said_beside_what_was_found(folder: Path) -> None:
    page = look(folder)
    assert [Path(item.path).name for item in page.found] == ["weak.py"]
    assert page.gaps.startswith("1 file not analysed: 1 binary (")
    assert page.gaps.endswith("/a.bin)")
    assert page.worst >= RANKS["queue"]
    assert "--duplicates" in page.copies


def test_duplicates_need_an_index(folder: Path) -> None:
    assert "leeboard index" in look(folder, duplicates=True).copies


def test_nothing_that_weighs_less_is_left(folder: Path) -> None:
    (folder / "weak.py").write_text("x = 1\n")
    page = look(folder, "fire")
    assert (page.found, page.worst) == ((), -1)


def test_settings_that_nobody_trusted_are_told_of(folder: Path) -> None:
    assert look(folder).unheard == ()
    (folder / "leeboard.toml").write_text("[rules.weak_crypto]\nenabled = false\n")
    page = look(folder)
    assert page.found
    assert "leeboard.toml switches off weak_crypto, which does not count" in page.notes[0]
