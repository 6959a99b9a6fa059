from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.install.hook_files import FileEdit
from leeboard.surfaces.cli.change_view import change_object, counts, difference, print_difference, print_summary
from leeboard.surfaces.cli.terminal import Console


def test_a_new_file_is_told_as_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    change = FileEdit(path=str(tmp_path / "x.json"), before=None, after=b"a\nb\n")
    print_summary(change, Console(width=200))
    assert "made" in (out := capsys.readouterr().out)
    assert "+2 -0" in out
    assert difference(change)[0] == "--- /dev/null"


def test_only_what_differs_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    change = FileEdit(path=str(tmp_path / "x.json"), before=b"1\n2\n3\n4\n5\n", after=b"1\n2\n3\n4\nfive\n")
    print_difference(change, Console(width=200))
    out = capsys.readouterr().out.splitlines()
    assert out[-3:] == [" 4", "-5", "+five"]
    assert counts(change) == (1, 1)


def test_the_same_is_no_change(tmp_path: Path) -> None:
    found = change_object(FileEdit(path=str(tmp_path / "x"), before=b"a", after=b"a"))
    assert found == {"file": str(tmp_path / "x"), "changed": False, "diff": ""}
