from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.plan._folder import Folder
from leeboard.io.plan._signed_lines import append_signed, read_signed


def test_what_was_written_here_counts(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1, "who": "kim"})
    append_signed(folder, "a/lines", {"id": 2})
    append_signed(folder, "a/lines", {"id": 2})
    assert read_signed(folder, "a/lines") == ([{"id": 1, "who": "kim"}, {"id": 2}], 0)


def test_what_somebody_else_wrote_does_not(tmp_path: Path) -> None:
    """SH-49: neither a new line, nor a changed one, nor one from another file."""
    folder = Folder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1})
    mine = folder.read("a/lines") or b""
    append_signed(folder, "b/lines", {"id": 2})
    theirs = folder.read("b/lines") or b""
    folder.write(
        "a/lines", mine + theirs + mine.replace(b":1", b":3") + b'{"id": 4}\n{"id": 5, "mac": "x"}\nnot json\n[1]\n{"i'
    )
    assert read_signed(folder, "a/lines") == ([{"id": 1}], 4)


def test_without_a_key_lines_are_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "file" / "state"))
    folder = Folder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1})
    assert read_signed(folder, "a/lines") == ([{"id": 1}], 0)
