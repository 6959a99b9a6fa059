from __future__ import annotations

import os
import time
from pathlib import Path

from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests import identity
from leeboard.truth.digests.hashing import FileHasher
from leeboard.truth.digests.identity import BLOCK, Sight
from leeboard.truth.digests.survey import Draft, troubled
from leeboard.truth.digests.tree import FolderDigests


def later() -> int:
    return time.time_ns() + 10 * identity.WINDOW


def made(top: Path, known: FolderDigests | None = None, system: str = "ext4") -> tuple[FolderDigests, int]:
    """A folder as a scan makes it, and how many files were read."""
    folder = os.open(top, os.O_RDONLY)
    draft = Draft(b"in", Sight().opened(folder)[0], later(), system)
    draft.list_names(folder, lambda name: name.endswith("~"))
    if known is not None:
        draft.keep(folder, known, Sight())
    reader = FileHasher(float("inf"), later)
    for start in range(0, len(draft.files), BLOCK):
        names = draft.files[start : start + BLOCK]
        plain = reader.hash_files(folder, names, draft.device)
        draft.add(names, plain if draft.local else reader.hash_each(folder, names, draft.device, local=False))
    draft.add(draft.others, reader.hash_each(folder, draft.others, draft.device, local=draft.local))
    os.close(folder)
    return draft.finished(), len(draft.files) + len(draft.others)


def test_a_folder_made_at_once_and_one_made_of_pieces_are_the_same(tmp_path: Path) -> None:
    for number in range(BLOCK + 5):
        (tmp_path / f"{number:04}").write_text("x")
    (tmp_path / "sub").mkdir()
    first, read = made(tmp_path)
    assert (read, first.all_subs, len(first.kinds), first.shared) == (BLOCK + 5, [b"sub"], BLOCK + 5, False)
    second, read = made(tmp_path, first)
    assert (second, read) == (first, 0)
    (tmp_path / "0000").write_text("y")
    (tmp_path / "0001").unlink()
    third, read = made(tmp_path, second)
    assert (read, third.all_names[:2], len(third.kinds)) == (1, [b"0000", b"0002"], BLOCK + 4)
    assert third == made(tmp_path)[0]


def test_what_is_no_file_and_what_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("x")
    (tmp_path / "file").write_text("x")
    (tmp_path / "file~").write_text("x")
    os.link(tmp_path / "file", tmp_path / "second~")
    found, _ = made(tmp_path)
    assert (found.all_names, found.kinds) == (
        [b"file", b"link", b"pipe"],
        bytes((kinds.TEXT, kinds.LINK, kinds.SPECIAL)),
    )
    assert found.shared
    again, read = made(tmp_path, found)
    assert (again.mark, read) == (found.mark, 0)


def test_a_strange_file_system_is_not_relied_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    found, _ = made(tmp_path, system="nfs4")
    assert found.identity == b""
    assert made(tmp_path, found, "nfs4")[1] == 1


def test_one_that_can_not_be_listed_says_so() -> None:
    assert troubled(b"in", 13).trouble == 13
