from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.file import replace_file, set_aside


def test_a_new_file_and_one_that_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    replace_file(str(file), b"one")
    file.chmod(0o600)
    replace_file(str(file), b"two")
    assert file.read_bytes() == b"two"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("theirs")
    (tmp_path / "link").symlink_to(target)
    replace_file(str(tmp_path / "link"), b"ours")
    assert target.read_text() == "theirs"
    assert (tmp_path / "link").read_text() == "ours"


def test_what_can_not_be_written_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(EffectError, match="can not write"):
        replace_file(str(tmp_path / "folder"), b"x")
    with pytest.raises(EffectError, match="can not write"):
        replace_file(str(tmp_path / "none" / "a"), b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_temporary_file_of_a_dead_process_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "left.tmp").write_text("half")
    replace_file(str(tmp_path / "a"), b"whole", temporary="left.tmp")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_set_aside_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    for number in range(3):
        file.write_text(f"{number}")
        set_aside(str(file), "s")
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["0", "1", "2"]
    with pytest.raises(EffectError):
        set_aside(str(file), "s")
