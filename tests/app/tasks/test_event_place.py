"""Reading on in a file that is no longer the one it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.tasks.event_place import id_of, resumed
from leeboard.contracts.disk.drift_folder import EventCursor, read_events

LINES = [f'{{"event_id":"{name}","text":"{name * 50_000}"}}\n'.encode() for name in "abcd"]


def behind(path: Path, name: str) -> EventCursor:
    found = next(one.cursor for one in read_events(str(path), EventCursor()) if id_of(one.line) == name)
    return EventCursor(inode=found.inode, offset=found.offset, event_id=name)


def rest(path: Path, cursor: EventCursor) -> list[str]:
    return [id_of(one.line) for one in read_events(str(path), resumed(str(path), cursor))]


def written(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"".join(lines))
    return path


def test_the_same_file_is_read_on(tmp_path: Path) -> None:
    path = written(tmp_path / "events.jsonl", LINES)
    cursor = behind(path, "b")
    assert resumed(str(path), cursor) == cursor
    assert rest(path, cursor) == ["c", "d"]


@pytest.mark.parametrize(
    ("now", "left"),
    [
        (LINES, ["c", "d"]),
        (LINES[1:], ["c", "d"]),
        ([b"a longer line than the one that was there\n", *LINES], ["c", "d"]),
        (LINES[2:], ["c", "d"]),
        ([], []),
    ],
    ids=["copied", "shortened", "grown", "another", "emptied"],
)
@pytest.mark.parametrize("in_place", [True, False])
def test_another_file_is_read_on_behind_the_event(
    tmp_path: Path, now: list[bytes], left: list[str], *, in_place: bool
) -> None:
    path = written(tmp_path / "events.jsonl", LINES)
    cursor = behind(path, "b")
    if not in_place:
        path.rename(tmp_path / "kept")
    written(path, now)
    assert rest(path, cursor) == left


def test_a_place_without_an_id_is_taken_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path / "events.jsonl", LINES)
    cursor = EventCursor(inode=path.stat().st_ino, offset=len(LINES[0]))
    assert resumed(str(path), cursor) is cursor


def test_a_file_that_is_gone_begins_anew(tmp_path: Path) -> None:
    assert resumed(str(tmp_path / "gone"), EventCursor(inode=1, offset=9, event_id="x")) == EventCursor()


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"event_id": 3}', b"[" * 100_000, b"\xff"])
def test_lines_without_an_id(line: bytes) -> None:
    assert id_of(line) == ""
