"""What lists and archives name, without a look at anything else in them."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from leeboard.io import named_in
from leeboard.io.named_in import names_in


def test_the_lines_of_a_list(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"a.md\ndeep/b \xff.md\n")
    assert names_in(str(tmp_path / "list")) == ("a.md", os.fsdecode(b"deep/b \xff.md"))
    (tmp_path / "list0").write_bytes(b"a.md\0b.md\0")
    assert names_in(str(tmp_path / "list0")) == ("a.md", "b.md", "")


@pytest.mark.parametrize("how", ["w", "w:gz", "w:bz2", "w:xz"])
def test_the_members_of_a_tar_file(how: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.md").write_text("x", encoding="utf-8")
    with tarfile.open(tmp_path / "x.tar", how) as archive:  # type: ignore[call-overload]  # each is a mode it knows
        archive.add(tmp_path / "src", arcname="src")
    assert names_in(str(tmp_path / "x.tar")) == ("src/", "src/a.md")


def test_the_members_of_a_zip_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("src/a.md", "x")
    assert names_in(str(tmp_path / "x.zip")) == ("src/a.md",)


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b broken", b"PK\x03\x04 broken", b"a\0\0b", b"BZh9 broken", b"\xfd7zXZ\0"]
)
def test_what_can_not_be_read_names_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    assert names_in(str(tmp_path / "x")) is None


def test_folders_pipes_and_what_is_too_large_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"a\n" * 10)
    monkeypatch.setattr(named_in, "MOST_BYTES", 8)
    assert [names_in(str(tmp_path / name)) for name in ("", "pipe", "large")] == [None, None, None]


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_a_packed_archive_is_read_as_far_as_its_beginning_goes(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that would unpack to gigabytes costs no more than another."""
    with tarfile.open(tmp_path / "x", f"w:{packing}") as archive:  # type: ignore[call-overload]  # the mode is put together
        for name in ("first.md", "second.md"):
            member = tarfile.TarInfo(name)
            member.size = 1 << 20
            archive.addfile(member, io.BytesIO(bytes(1 << 20)))
    monkeypatch.setattr(named_in, "MOST_UNPACKED", 1 << 16)
    assert names_in(str(tmp_path / "x")) == ("first.md",)
