from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.install.kept_file import (
    all_records,
    give_back,
    read_bytes,
    read_record,
    unchanged,
    write_kept,
    write_whole,
)


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


def test_what_was_there_comes_back_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    original = b'\xef\xbb\xbf{ "a": 1 }\r\n\r\n'
    path.write_bytes(original)
    write_kept(str(path), b"ours", original)
    record = read_record(str(path))
    assert record is not None
    assert unchanged(record)
    give_back(record, record.original)
    assert path.read_bytes() == original
    assert read_record(str(path)) is None


def test_a_file_and_the_folders_made_for_it_go_again(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.json"
    write_kept(str(path), b"ours", None)
    (record,) = all_records()
    give_back(record, None)
    assert not (tmp_path / "a").exists()


def test_a_folder_somebody_else_uses_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.json"
    write_kept(str(path), b"ours", None)
    (tmp_path / "a" / "other").write_text("theirs")
    (record,) = all_records()
    give_back(record, None)
    assert not (tmp_path / "a" / "b").exists()
    assert (tmp_path / "a" / "other").exists()


def test_a_folder_two_files_of_ours_share_goes_with_the_last(tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_kept(str(tmp_path / "a" / name), b"ours", None)
    for name in ("first", "second"):
        record = read_record(str(tmp_path / "a" / name))
        assert record is not None
        give_back(record, None)
    assert not (tmp_path / "a").exists()


def test_an_edit_since_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_kept(str(path), b"ours", None)
    path.write_bytes(b"ours and theirs")
    record = read_record(str(path))
    assert record is not None
    assert not unchanged(record)


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_bytes(b"{}")
    real.chmod(0o600)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    write_whole(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob(".*"))


def test_records_are_the_users_alone(tmp_path: Path) -> None:
    write_kept(str(tmp_path / "settings.json"), b"x", b"token")
    (record,) = (tmp_path / "state" / "backups").iterdir()
    assert record.stat().st_mode & 0o077 == 0
    assert record.parent.stat().st_mode & 0o077 == 0


def test_a_broken_record_counts_as_none(tmp_path: Path) -> None:
    path = str(tmp_path / "settings.json")
    write_kept(path, b"x", None)
    (record,) = (tmp_path / "state" / "backups").iterdir()
    record.write_bytes(b"\x00{")
    assert read_record(path) is None
    assert all_records() == ()


def test_no_file_reads_as_none(tmp_path: Path) -> None:
    assert read_bytes(str(tmp_path / "none")) is None
