from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app import catch_up
from leeboard.app.catch_up import Tail, read_before, read_on


def test_only_what_came_since_is_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\n")
    first = read_on(str(log))
    assert (first.data, first.offset, first.reset, first.more) == (b"one\ntwo\n", 8, False, False)
    with log.open("ab") as file:
        file.write(b"three\n")
    second = read_on(str(log), first.offset, first.inode)
    assert (second.data, second.offset, second.reset) == (b"three\n", 14, False)
    assert read_on(str(log), second.offset, second.inode).data == b""


def test_half_a_line_waits_for_its_other_half(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntw")
    first = read_on(str(log))
    assert (first.data, first.offset) == (b"one\n", 4)
    log.write_bytes(b"one\ntwo\n")
    assert read_on(str(log), first.offset, first.inode).data == b"two\n"


def test_half_a_line_is_given_when_asked_for_and_given_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntw")
    first = read_on(str(log), unfinished=True)
    assert (first.data, first.offset) == (b"one\ntw", 4)
    log.write_bytes(b"one\ntwo\n")
    assert read_on(str(log), first.offset, first.inode).data == b"two\n"


def test_a_replaced_file_is_read_from_its_start(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    first = read_on(str(log))
    (tmp_path / "new").write_bytes(b"another\nfile\n")
    (tmp_path / "new").replace(log)
    second = read_on(str(log), first.offset, first.inode)
    assert (second.data, second.reset) == (b"another\nfile\n", True)
    assert second.inode != first.inode


@pytest.mark.parametrize(
    "content", [b"x\n", b"", b"other lines that are longer\n"], ids=["cut", "emptied", "rewritten"]
)
def test_a_file_with_another_past_is_read_from_its_start(tmp_path: Path, content: bytes) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\n")
    first = read_on(str(log))
    log.write_bytes(content)
    second = read_on(str(log), first.offset, first.inode)
    assert (second.data, second.offset, second.reset) == (content, len(content), True)


def test_the_limit_leaves_the_rest_for_later(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"aa\nbb\ncc\n")
    first = read_on(str(log), limit=4)
    assert (first.data, first.more) == (b"aa\n", True)
    second = read_on(str(log), first.offset, first.inode, limit=100)
    assert (second.data, second.more) == (b"bb\ncc\n", False)


def test_a_line_longer_than_the_limit_is_given_whole(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"a" * 50 + b"\nb\n")
    assert read_on(str(log), limit=8).data.startswith(b"a" * 50 + b"\n")


def test_a_line_without_measure_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catch_up, "LONGEST_LINE", 20)
    log = tmp_path / "log"
    log.write_bytes(b"a" * 50 + b"\nb\n")
    first = read_on(str(log), limit=8)
    assert (first.data, first.offset, first.more) == (b"", 51, True)
    assert read_on(str(log), first.offset, first.inode, limit=8).data == b"b\n"


def test_a_line_without_measure_that_still_grows_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catch_up, "LONGEST_LINE", 20)
    log = tmp_path / "log"
    log.write_bytes(b"x\n" + b"a" * 50)
    first = read_on(str(log), limit=8)
    again = read_on(str(log), first.offset, first.inode, limit=8)
    assert (again.data, again.offset) == (b"", 2)


def test_what_is_not_there_is_nothing_and_moves_nothing(tmp_path: Path) -> None:
    missing = read_on(str(tmp_path / "none"), 7, 9)
    assert (missing.data, missing.offset, missing.inode) == (b"", 7, 9)
    assert missing.note


def test_what_is_no_file_is_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_on(str(tmp_path / "pipe")) == Tail(note="not a regular file")
    assert read_on(str(tmp_path)).note
    assert read_on("a\0b").note


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"one\n")
    (tmp_path / "link").symlink_to(tmp_path / "log")
    assert read_on(str(tmp_path / "link")).data == b"one\n"


@given(
    pieces=st.lists(st.binary(max_size=30).map(lambda piece: piece.replace(b"0", b"\n")), max_size=20),
    limit=st.integers(1, 40),
)
def test_however_a_file_grows_each_line_is_read_once(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], limit: int
) -> None:
    log = tmp_path_factory.mktemp("tail") / "log"
    log.write_bytes(b"")
    seen, offset, inode = b"", 0, 0
    for piece in pieces:
        with log.open("ab") as file:
            file.write(piece)
        more = True
        while more:
            got = read_on(str(log), offset, inode, limit)
            assert not got.reset
            seen, offset, inode, more = seen + got.data, got.offset, got.inode, got.more
    whole = b"".join(pieces)
    assert seen == whole[: whole.rfind(b"\n") + 1]


def test_what_stands_before_a_place(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"one\ntwo\nthree\n")
    assert read_before(str(path), 8) == b"one\ntwo\n"
    assert read_before(str(path), 8, limit=4) == b"two\n"
    assert read_before(str(tmp_path), 8) == read_before(str(tmp_path / "none"), 8) == b""
