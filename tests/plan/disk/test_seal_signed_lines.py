from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.seal import SignedLines, Signer, append_signed, lines_of, read_signed, with_line


def test_what_was_written_here_counts(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1, "who": "kim"})
    append_signed(folder, "a/lines", {"id": 2})
    append_signed(folder, "a/lines", {"id": 2})
    found = read_signed(folder, "a/lines")
    assert (found.good, found.bad) == (({"id": 1, "who": "kim"}, {"id": 2}), 0)


def test_a_line_is_added_to_the_text(tmp_path: Path) -> None:
    """As one that is appended; the seal holds how many count, and the last."""
    folder = PlanFolder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1})
    text = with_line("a/lines", folder.text("a/lines") or "", {"id": 2})
    assert with_line("a/lines", text, {"id": 2}) == text
    folder.write("a/lines", f"{text}{{half".encode())
    assert read_signed(folder, "a/lines").sealed == {"lines": 2, "last": {"id": 2}}
    torn = with_line("a/lines", f"{text}{{half", {"id": 3})
    assert lines_of("a/lines", torn).sealed == {"lines": 3, "last": {"id": 3}}
    assert lines_of("a/lines", "").sealed == {}


def test_what_somebody_else_wrote_does_not(tmp_path: Path) -> None:
    """SH-49: neither a new line, nor a changed one, nor one from another file."""
    folder = PlanFolder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1})
    mine = folder.read("a/lines") or b""
    append_signed(folder, "b/lines", {"id": 2})
    theirs = folder.read("b/lines") or b""
    folder.write(
        "a/lines", mine + theirs + mine.replace(b":1", b":3") + b'{"id": 4}\n{"id": 5, "mac": "x"}\nnot json\n[1]\n{"i'
    )
    assert read_signed(folder, "a/lines") == SignedLines(good=({"id": 1},), bad=4)


def test_without_a_key_lines_are_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "file" / "state"))
    folder = PlanFolder(str(tmp_path))
    append_signed(folder, "a/lines", {"id": 1})
    assert read_signed(folder, "a/lines") == SignedLines(good=({"id": 1},))


def test_one_line_after_another(tmp_path: Path) -> None:
    """A line counts for its own file alone, and as it was written."""
    folder = PlanFolder(str(tmp_path / "odd\udcff"))
    signer = Signer(folder, "a/lines")
    line = signer.signed({"id": 1})
    assert signer.verified(line) == {"id": 1}
    assert Signer(folder, "b/lines").verified(line) is None
    assert signer.verified(line.replace(b"1", b"2", 1)) is None
    assert signer.verified(b'{"id": 1}') is None
    assert signer.verified(b"noise") is None


def test_a_line_counts_where_it_was_signed(tmp_path: Path) -> None:
    """Not in a copy, nor the other way round; however the place is spelled."""
    (tmp_path / "link").symlink_to(tmp_path / "one")
    line = Signer(PlanFolder(str(tmp_path / "one")), "a/lines").signed({"id": 1})
    assert Signer(PlanFolder(str(tmp_path / "link")), "a/lines").verified(line) == {"id": 1}
    assert Signer(PlanFolder(str(tmp_path / "two")), "a/lines").verified(line) is None
