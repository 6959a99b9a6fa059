from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from leeboard.io.git.output import Side
from leeboard.io.git.untracked import LARGEST_READ, LARGEST_TEXT, Untracked, UntrackedReader
from leeboard.model.touch import Hunk
from tests.git_repository import GitRepository


def read(root: Path, path: str, most: int = 1 << 30) -> Untracked:
    return UntrackedReader(str(root), 40, most).read(path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ()),
        (b"\n", ("",)),
        (b"a", ("a",)),
        (b"a\n", ("a",)),
        (b"a\n\n", ("a", "")),
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\x0bb\x1c\n\xff\n", ("a\x0bb\x1c", "�")),
        (b"x" * 9000 + b"\0", ("x" * 9000 + "\0",)),
    ],
)
def test_lines_and_digest_are_as_git_counts_them(tmp_path: Path, data: bytes, lines: tuple[str, ...]) -> None:
    repository = GitRepository(tmp_path)
    repository.write("a", data)
    found = read(tmp_path, "a")
    assert (found.lines, found.binary, found.cut) == (len(lines), False, False)
    assert found.hunks == ((Hunk(1, lines),) if lines else ())
    assert found.side == Side("100644", repository.run("hash-object", "--no-filters", "a"))
    counted = read(tmp_path, "a", most=0)
    assert (counted.lines, counted.side) == (found.lines, found.side)
    assert (counted.hunks, counted.cut) == ((), bool(data))


def test_a_nul_at_the_start_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\n" * 7_000 + b"\0\n")
    for most in (1 << 30, 0):
        found = read(tmp_path, "a", most)
        assert (found.binary, found.lines, found.hunks, found.cut) == (True, 0, (), False)


def test_of_a_large_file_lines_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456\n" * (LARGEST_TEXT // 4) + b"last")
    found = read(tmp_path, "a")
    assert (found.lines, found.hunks, found.cut) == (LARGEST_TEXT // 4 + 1, (), True)


def test_all_files_share_what_may_be_kept(tmp_path: Path) -> None:
    reader = UntrackedReader(str(tmp_path), 40, 25)
    for name in "abc":
        (tmp_path / name).write_text("0123456789\n")
    assert [reader.read(name).cut for name in "abc"] == [False, False, True]


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(LARGEST_READ + 1)
    found = read(tmp_path, "a")
    assert (found.lines, found.cut) == (0, True)
    assert "larger than 1024 MB" in found.note


def test_a_link_is_the_text_of_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/\udcffpasswd")
    found = read(tmp_path, "link")
    assert (found.side.mode, found.hunks) == ("120000", (Hunk(1, ("/etc/�passwd",)),))


def test_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for name in ("pipe", "socket"):
            found = read(tmp_path, name)
            assert (found.binary, found.lines) == (True, 0)
            assert name in found.note


def test_a_file_that_went_away_is_noted(tmp_path: Path) -> None:
    found = read(tmp_path, "gone")
    assert (found.cut, found.lines) == (True, 0)
    assert found.note == "gone can not be read (No such file or directory): its lines are not counted"


def test_a_repository_inside_is_a_submodule(tmp_path: Path) -> None:
    assert read(tmp_path, "inner/").submodule


def test_executables_and_long_digests(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("x\n")
    (tmp_path / "run").chmod(0o755)
    assert read(tmp_path, "run").side.mode == "100755"
    assert len(UntrackedReader(str(tmp_path), 64, 99).read("run").side.blob) == 64
