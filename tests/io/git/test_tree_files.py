"""Real files in a real folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leeboard.io.git.tree_files import LARGEST, CommittedFiles, DiskFiles, StagedFiles
from tests.git_repository import GitRepository


def test_a_text_is_read_and_what_is_none_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("é = 1\n")
    (tmp_path / "b.bin").write_bytes(b"a\0b")
    (tmp_path / "big.py").write_bytes(b"x" * (LARGEST + 1))
    (tmp_path / "half.py").write_bytes(b"\xff\xfe x")
    (tmp_path / "folder").mkdir()
    files = DiskFiles(str(tmp_path))
    assert files.text("a.py") == "é = 1\n"
    assert files.text("half.py") == "\ufffd\ufffd x"
    for unknown in ("b.bin", "big.py", "folder", "missing.py", "", "a\0b", "/etc/passwd", "x" * 5_000):
        assert files.text(unknown) is None


def test_nothing_outside_the_root_is_read(tmp_path: Path) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    (other / "secret.py").write_text("x")
    (root / "link.py").symlink_to(other / "secret.py")
    (root / "linked").symlink_to(other)
    files = DiskFiles(str(root))
    for path in ("link.py", "linked/secret.py", "../other/secret.py"):
        assert files.text(path) is None
    assert files.exists("../other/secret.py") is None


def test_why_a_file_has_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "b.bin").write_bytes(b"a\0b")
    (tmp_path / "big.py").write_bytes(b"x" * (LARGEST + 1))
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "nowhere.py").symlink_to("missing.py")
    os.mkfifo(tmp_path / "pipe.py")
    files = DiskFiles(str(tmp_path))
    names = ("a.py", "b.bin", "big.py", "folder", "link.py", "nowhere.py", "pipe.py", "missing.py", "../x", "a\0b")
    found = [files.no_text(name) for name in names]
    assert found == [None, "other", "large", "other", "link", "link", "other", None, None, None]
    (tmp_path / "b.bin").write_bytes(b"text")
    files.look_again()
    assert files.no_text("b.bin") is None


def test_a_pipe_does_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert DiskFiles(str(tmp_path)).text("pipe.py") is None


def test_what_exists(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    files = DiskFiles(str(tmp_path))
    assert (files.exists("a.py"), files.exists("b.py")) == (True, False)
    assert DiskFiles("").exists("a.py") is None


def test_what_lies_elsewhere_is_looked_at_and_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.py").write_text("")
    files = DiskFiles(str(tmp_path / "root"))
    assert [files.lies_at(place) for place in (f"{tmp_path}/a.py", "~/a.py", "~/b.py", "a.py", "/a\0b")] == [
        True,
        True,
        False,
        None,
        None,
    ]


def test_what_git_ignores(tmp_path: Path) -> None:
    assert DiskFiles(str(tmp_path)).ignored(".env") is None
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text(".env\n")
    files = DiskFiles(str(tmp_path))
    assert (files.ignored(".env"), files.ignored("a.py")) == (True, False)


def test_how_a_file_looks(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("one\n")
    look = DiskFiles(str(tmp_path)).look("a.py")
    seen = path.stat()
    assert look == (4, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    files = DiskFiles(str(tmp_path))
    assert files.look("missing.py") == ()
    for unknown in ("/etc/passwd", "../x", "a\0b"):
        assert files.look(unknown) is None


def test_a_look_is_that_of_the_text_that_was_read(tmp_path: Path) -> None:
    """What changes between the two shows at the next look."""
    path = tmp_path / "a.py"
    path.write_text("one\n")
    files = DiskFiles(str(tmp_path))
    assert files.text("a.py") == "one\n"
    path.write_text("another\n")
    assert (files.look("a.py") or ())[0] == 4
    assert (DiskFiles(str(tmp_path)).look("a.py") or ())[0] == 8


def test_who_looks_again_finds_what_is_there_by_then(tmp_path: Path) -> None:
    place, outside = tmp_path / "repo" / "part" / "a.py", tmp_path / "outside"
    place.parent.mkdir(parents=True)
    outside.mkdir()
    place.write_text("one\n")
    files = DiskFiles(str(tmp_path / "repo"))
    assert files.text("part/a.py") == "one\n"
    place.unlink()
    place.parent.rmdir()
    place.parent.symlink_to(outside)
    (outside / "a.py").write_text("two\n")
    files.look_again()
    assert (files.text("part/a.py"), files.look("part/a.py")) == (None, None), "the folder leads out of the root now"


def test_a_file_that_just_changed_is_not_settled(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("one\n")
    files = DiskFiles(str(tmp_path))
    look = files.look("a.py") or ()
    assert not files.settled(look)
    assert not files.settled(())
    assert files.settled((*look[:2], look[2] - 10**9, look[3]))


def test_what_git_says_of_files(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n")
    subprocess.run(("git", "init", "-q", str(tmp_path)), check=True)
    files = DiskFiles(str(tmp_path))
    assert files.ignored_of(("a.log", "a.py")) == {"a.log"}
    assert files.committed(("a.py",), 0.0) == {}


def test_committed_files_are_as_they_were_committed(tmp_path: Path) -> None:
    git = GitRepository(tmp_path)
    git.write("a.py", "old\n")
    git.write("picture", b"\0\1")
    git.commit()
    git.write("a.py", "new\n")
    git.write("b.py", "new\n")
    files = CommittedFiles(git.root)
    assert files.text("a.py") == "old\n"
    assert (files.exists("a.py"), files.ignored("a.py")) == (True, False)
    for unknown in ("b.py", "picture", "../a.py", "/etc/passwd", "a\0b", ""):
        assert files.text(unknown) is None
        assert files.exists(unknown) is None
    assert CommittedFiles("").text("a.py") is None


def test_staged_files_are_as_they_are_staged(tmp_path: Path) -> None:
    git = GitRepository(tmp_path)
    for name in ("a.py", "b.py", "a.lock"):
        git.write(name, "staged\n")
    git.run("add", "-A")
    for name in ("a.py", "b.py", "a.lock"):
        git.write(name, "on the disk\n")
    files = StagedFiles(str(tmp_path), ("a.py", "gone.py", "a.lock"), lambda path: path.endswith(".lock"))
    assert files.text("a.py") == "staged\n"
    assert files.text("b.py") == files.text("a.lock") == "on the disk\n"
    assert files.text("gone.py") is None
