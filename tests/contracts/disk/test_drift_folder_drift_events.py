"""Events that are appended by some and read by others, any of whom may die."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.contracts.disk import drift_folder
from leeboard.contracts.disk.drift_folder import EventCursor, append_event, read_events
from leeboard.errors import EffectError

START = EventCursor()


def lines(path: Path, cursor: EventCursor = START) -> list[bytes]:
    return [one.line for one in read_events(str(path), cursor)]


def test_read_on_from_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    assert lines(path) == []
    append_event(str(path), b"1\n", START)
    first = next(iter(read_events(str(path), START))).cursor
    append_event(str(path), b"2\n", START)
    assert (lines(path), lines(path, first)) == ([b"1", b"2"], [b"2"])


def test_half_a_line_waits_and_is_ended_by_the_next_writer(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"1\n{half")
    assert lines(path) == [b"1"]
    append_event(str(path), b"2\n", START)
    assert lines(path) == [b"1", b"{half", b"2"]


def test_another_or_shorter_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    append_event(str(path), b"1\n", START)
    assert lines(path, EventCursor(inode=1, offset=2)) == [b"1"]
    assert lines(path, EventCursor(inode=path.stat().st_ino, offset=99)) == [b"1"]


def test_a_large_file_is_moved_aside_once_all_of_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drift_folder, "LARGEST_EVENTS", 4)
    path = tmp_path / "events.jsonl"
    append_event(str(path), b"12345\n", START)
    append_event(str(path), b"not yet\n", START)
    assert lines(path) == [b"12345", b"not yet"]
    last = list(read_events(str(path), START))[-1].cursor
    append_event(str(path), b"new\n", last)
    assert lines(path, last) == [b"new"]
    assert (tmp_path / "events.jsonl.1").read_bytes() == b"12345\nnot yet\n"


def test_what_can_not_be_appended_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").mkdir()
    with pytest.raises(EffectError, match=r"events\.jsonl"):
        append_event(str(tmp_path / "events.jsonl"), b"x\n", START)


APPEND = """
import sys
from leeboard.contracts.disk.drift_folder import append_event
from leeboard.contracts.disk.drift_folder import EventCursor
for number in range(50):
    append_event(sys.argv[1], f"{sys.argv[2]}-{number}-{'x' * 5000}\\n".encode(), EventCursor())
"""


def test_lines_of_many_writers_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    runs = [subprocess.Popen([sys.executable, "-c", APPEND, str(path), str(name)]) for name in range(4)]
    assert [run.wait(60) for run in runs] == [0] * 4
    assert sorted(lines(path)) == sorted(f"{w}-{n}-{'x' * 5000}".encode() for w in range(4) for n in range(50))
