from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.unanalysed import unfollowed_kind
from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_what_can_not_be_read_is_told(tmp_path: Path) -> None:
    files = {"a.bin": "\0\1\2" * 9, "large.py": "#" * (2 << 20) + "x", "empty.py": ""}
    assert [one.problem for one in scanned(tmp_path, files)] == ["binary", "larger than 2 MB", ""]
    (gone,) = scan((Target("gone.py", str(tmp_path), "gone.py"),), {}, 1)
    assert gone.problem == "unreadable"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.py", "x = 1\n", ""),
        ("run.sh", "ls\n", ".sh"),
        ("Makefile", "all:\n", "Makefile"),
        ("a.css", "\n", ""),
    ],
)
def test_files_through_which_nobody_follows_a_value(name: str, text: str, kind: str) -> None:
    assert unfollowed_kind(name, text) == kind
