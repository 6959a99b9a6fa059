from __future__ import annotations

import shutil
from pathlib import Path

from leeboard.app.guard.look import MOST_FILES, find_limited, look_again
from leeboard.model.text import matches


def wanted(path: str) -> bool:
    return matches(path, ("db/", "**/*.sql"))


def test_files_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db/a").write_text("a", encoding="utf-8")
    (tmp_path / "x.sql").write_text("x", encoding="utf-8")
    (tmp_path / "y.py").write_text("y", encoding="utf-8")
    found = find_limited(str(tmp_path), ("db/", "**/*.sql"), wanted)
    assert set(found.files) == {"db/a", "x.sql"}
    assert look_again(str(tmp_path), found, wanted) is found
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/er/new.sql").write_text("n", encoding="utf-8")
    shutil.rmtree(tmp_path / "db")
    again = look_again(str(tmp_path), found, wanted)
    assert (again.files["deep/er/new.sql"].first, again.files["db/a"].digest) == ("", "")


def test_one_that_is_not_there_yet_is_known_by_name(tmp_path: Path) -> None:
    assert find_limited(str(tmp_path), ("db/a",), wanted).files["db/a"].digest == ""


def test_more_than_can_be_looked_at_is_said(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 1):
        (tmp_path / f"{number}.sql").touch()
    found = find_limited(str(tmp_path), ("**/*.sql",), wanted)
    assert (len(found.files), found.whole) == (MOST_FILES, False)
