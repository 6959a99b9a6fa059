"""The note and the looks at it: whatever lies there, nobody is stopped by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.safety_net.note import (
    GONE,
    Pauses,
    add_pause,
    changed_files,
    folder_of,
    look_at,
    look_at_refs,
    read_note,
    read_pauses,
    refs_moved,
)
from tests.netted_repository import NettedRepository, told_of_gone


@pytest.mark.parametrize("garbage", [b"", b"\x00\xff", b"\x81\xa4root\xc0", b"x" * 100_000])
def test_a_note_that_is_none_is_no_note(net: NettedRepository, garbage: bytes) -> None:
    net.begin()
    Path(folder_of(net.root), "note").write_bytes(garbage)
    Path(folder_of(net.root), "copies.list").write_bytes(garbage)
    assert read_note(net.root) is None
    assert not told_of_gone(net.does("make wipe"))
    net.note()
    assert read_note(net.root) is not None


def test_only_what_looks_different_is_looked_at(net: NettedRepository) -> None:
    net.note()
    note = read_note(net.root)
    assert note is not None
    assert changed_files(note) == []
    net.run("rm notes.md")
    assert [(file.name, look) for file, look in changed_files(note)] == [("notes.md", GONE)]


@pytest.mark.parametrize("line", ["git branch x", "git branch -D wip", "git stash drop -q", "git pack-refs --all"])
def test_every_way_to_change_a_branch_or_a_stash_shows(net: NettedRepository, line: str) -> None:
    net.note()
    note = read_note(net.root)
    assert note is not None
    assert not refs_moved(note.refs)
    assert net.run(line).returncode == 0
    assert refs_moved(note.refs)
    assert look_at_refs(net.root) != note.refs.look


def test_a_link_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    assert look_at(bytes(tmp_path / "link")) == look_at(bytes(tmp_path / "none")) == GONE
    assert look_at(bytes(tmp_path / "file")) != GONE


def test_pauses_are_kept_by_session(net: NettedRepository) -> None:
    add_pause(net.root, "s", 1.0, 2.0)
    add_pause(net.root, "s", 5.0, 6.0)
    pauses = read_pauses(net.root, "s")
    assert [pauses.covers(time) for time in (0.5, 1.5, 2.0, 3.0, 5.5)] == [False, True, True, False, True]
    assert read_pauses(net.root, "other") == Pauses(root=net.root, session="other")
