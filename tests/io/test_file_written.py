"""Nothing is written through a link, nor into anything but a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.file import leads_out, open_written, own_folder

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def test_a_file_is_made_and_written_to(tmp_path: Path) -> None:
    file = open_written(str(tmp_path / "a"), _APPEND)
    os.write(file, b"x")
    assert not os.get_inheritable(file)
    os.close(file)
    assert (tmp_path / "a").read_bytes() == b"x"


def test_a_link_or_a_fifo_is_not(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo", "."):
        with pytest.raises(OSError):
            open_written(str(tmp_path / name), _APPEND)
    assert not (tmp_path / "target").exists()


def test_a_folder_of_ours_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    own_folder(str(tmp_path))
    own_folder(str(tmp_path / "none"))
    with pytest.raises(OSError, match="it is a link"):
        own_folder(str(tmp_path / "link"))


def test_a_file_that_leads_out_of_its_project(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path / "elsewhere")
    (root / "in").symlink_to("other")
    assert leads_out(f"{root}/out", str(root))
    assert leads_out(f"{root}/out/settings.json", str(root))
    assert not leads_out(f"{root}/in", str(root))
    assert not leads_out(f"{root}/none", str(root))
    assert not leads_out(f"{tmp_path}/x", str(root)), "it is none of the project's"
