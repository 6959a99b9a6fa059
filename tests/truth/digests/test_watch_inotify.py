from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.truth.digests import watch
from leeboard.truth.digests.watch import Inotify


def test_what_happens_in_a_folder_is_told(tmp_path: Path) -> None:
    inotify = Inotify()
    folder = os.open(tmp_path, os.O_RDONLY)
    number = inotify.add(folder)
    assert inotify.add(folder) == number
    assert list(inotify.happened()) == []
    (tmp_path / "file").write_text("x")
    (tmp_path / "in").mkdir()
    (tmp_path / "file").unlink()
    told = list(inotify.happened())
    assert {name for _, _, name in told} == {b"file", b"in"}
    assert {each for each, _, _ in told} == {number}
    assert any(what & watch.CREATE and what & watch.IS_FOLDER for _, what, _ in told)
    assert any(what & watch.DELETE for _, what, _ in told)
    inotify.remove(number)
    assert [what & watch.IGNORED for _, what, _ in inotify.happened()] == [watch.IGNORED]
    inotify.close()
    inotify.close()
    os.close(folder)


def test_only_folders_are_watched(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    file = os.open(tmp_path / "file", os.O_RDONLY)
    inotify = Inotify()
    with pytest.raises(NotADirectoryError):
        inotify.add(file)
    inotify.close()
    os.close(file)
