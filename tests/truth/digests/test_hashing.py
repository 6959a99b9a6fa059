from __future__ import annotations

import errno
import hashlib
import os
import threading
import time
from pathlib import Path

import pytest

from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests import identity
from leeboard.truth.digests.hashing import HEAD, PIECE, FileHasher, is_binary
from leeboard.truth.digests.identity import BLANK, Sight, rows

NEVER = float("inf")
CONTENTS = {b"a": b"", b"b": b"text", b"c": b"\0", b"d": b"x" * PIECE, b"e": b"x" * (3 * PIECE + 1), b"f": b"\xff"}


def later() -> int:
    return time.time_ns() + 10 * identity.WINDOW


@pytest.fixture
def folder(tmp_path: Path) -> int:
    for name, content in CONTENTS.items():
        (tmp_path / os.fsdecode(name)).write_bytes(content)
    return os.open(tmp_path, os.O_RDONLY)


@pytest.mark.parametrize("now", [time.time_ns, later])
def test_every_file_gets_its_digest(folder: int, now: object) -> None:
    reader = FileHasher(NEVER, now)  # type: ignore[arg-type] # one of two clocks
    names = list(CONTENTS)
    for device in (None, os.fstat(folder).st_dev, -1):
        those, shas, stats, shared = reader.hash_files(folder, names, device)
        assert (those, shared) == (b"ttbttb", False)
        assert shas == b"".join(hashlib.sha256(content).digest() for content in CONTENTS.values())
        assert [row[1] for row in rows(stats)] == [len(content) for content in CONTENTS.values()]
    os.close(folder)


def test_only_what_rests_is_relied_on(folder: int) -> None:
    names = list(CONTENTS)
    fresh = FileHasher(NEVER, time.time_ns).hash_files(folder, names, None)[2]
    resting = FileHasher(NEVER, later).hash_files(folder, names, None)[2]
    strange = FileHasher(NEVER, later).hash_each(folder, names, None, local=False)[2]
    assert {row[3] for row in rows(fresh)} == {row[3] for row in rows(strange)} == {BLANK[3]}
    assert BLANK[3] not in {row[3] for row in rows(resting)}
    os.close(folder)


def test_what_was_written_a_moment_ago_is_read_once(folder: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name, content in CONTENTS.items() if len(content) < PIECE]
    monkeypatch.setattr(FileHasher, "hash_one", None)
    those, shas, _, _ = FileHasher(NEVER, time.time_ns).hash_files(folder, names, None)
    assert (those, shas) == (b"ttbb", b"".join(hashlib.sha256(CONTENTS[name]).digest() for name in names))
    os.close(folder)


@pytest.mark.parametrize("name", [b"a", b"b", b"f"])
def test_what_changes_right_after_it_was_read_is_read_again(
    folder: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: bytes
) -> None:
    names, note, changed = [b"a", b"b", b"f"], Sight.note, list[int]()

    def changing(sight: Sight, file: int, number: int) -> None:
        if not changed and names[number] == name:
            changed.append((tmp_path / os.fsdecode(name)).write_bytes(b"another"))
        note(sight, file, number)

    monkeypatch.setattr(Sight, "note", changing)
    shas = FileHasher(NEVER, time.time_ns).hash_files(folder, names, None)[1]
    contents = CONTENTS | {name: b"another"}
    assert shas == b"".join(hashlib.sha256(contents[each]).digest() for each in names)
    os.close(folder)


def test_whatever_else_lies_there_has_its_kind(folder: int, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere\n")
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "pipe")
    names = [b"link", b"pipe", b"gone", b"in", b"b"]
    for found in (
        FileHasher(NEVER, later).hash_each(folder, names, None, local=True),
        FileHasher(NEVER, later).hash_files(folder, names, None),
    ):
        assert found[0] == bytes((kinds.LINK, kinds.SPECIAL, kinds.GONE, kinds.SPECIAL, kinds.TEXT))
        assert found[1].startswith(hashlib.sha256(b"nowhere\n").digest())
    os.close(folder)


def test_what_can_not_be_read_says_why() -> None:
    folder = os.open("/proc/self", os.O_RDONLY)
    kind, sha, row, _ = FileHasher(NEVER, later).hash_one(folder, b"mem")
    assert (kind, int.from_bytes(sha, "big"), row) == (kinds.UNREADABLE, errno.EIO, BLANK)
    os.close(folder)


def test_no_time_is_no_digest(folder: int) -> None:
    reader = FileHasher(-1.0, later)
    assert reader.hash_files(folder, [b"b", b"e"], None)[0] == bytes((kinds.UNSEEN,)) * 2
    os.close(folder)


def test_what_changes_while_it_is_read_is_not_relied_on(tmp_path: Path) -> None:
    """Its digest may be of no content it ever had, so the next scan reads it again."""
    contents = b"1" * (4 * PIECE), b"2" * (4 * PIECE)
    place = tmp_path / "file"
    place.write_bytes(contents[0])
    stop = threading.Event()

    def writing() -> None:
        file = os.open(place, os.O_RDWR)
        for number in range(2000):
            os.pwrite(file, contents[number % 2], 0)
            if stop.is_set():
                break
        os.close(file)

    writer = threading.Thread(target=writing)
    writer.start()
    folder = os.open(tmp_path, os.O_RDONLY)
    reader = FileHasher(NEVER, time.time_ns)
    seen = [reader.hash_one(folder, b"file") for _ in range(20)]
    stop.set()
    writer.join()
    assert {kind for kind, *_ in seen} <= {kinds.TEXT, kinds.CHANGING}
    assert not any(identity.is_settled(row, moment) for kind, _, row, moment in seen if kind == kinds.TEXT)
    assert reader.hash_one(folder, b"file")[:2] == (kinds.TEXT, hashlib.sha256(place.read_bytes()).digest())
    os.close(folder)


@pytest.mark.parametrize(
    ("head", "whole", "binary"),
    [
        (b"", True, False),
        (b"plain", True, False),
        (b"a\0b", True, True),
        ("ä".encode(), True, False),
        (b"\xff", True, True),
        ("ä".encode()[:1], True, True),
        (b"x" * (HEAD - 1) + "ä".encode()[:1], False, False),
        (b"\xc3" + b"x" * (HEAD - 1), False, True),
    ],
)
def test_text_and_binary(head: bytes, whole: bool, binary: bool) -> None:  # noqa: FBT001 - a table
    assert is_binary(head, whole=whole) is binary
