from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import leeboard
from leeboard.surfaces.hook_client import _package
from leeboard.surfaces.kept_patterns import KeptPatterns, patterns_file
from tests.hook_process import HookProcess, edit

SOURCES = (
    (r"a+(?P<tail>b|c)?\1", 0),
    (r"(?i)\bké[y-z]\b", re.MULTILINE),
    (r"^\s*(?:def|class)\s+(?P<name>\w+)(?=\()", re.VERBOSE),
    (r"(?<!x)[^\W\d_]{2,}(?:(?P<a>1)|(?P<b>2))(?(a)3|4)", re.ASCII),
    (r"[а-яё一-龯]{300,70000}|\U0001f600[^à-ÿ]*", re.IGNORECASE),
)


@pytest.fixture(autouse=True)
def _may_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a hook may, whatever the tests themselves were started with."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def kept(path: Path) -> KeptPatterns:
    return KeptPatterns(str(path))


def filled(path: Path) -> Path:
    first = kept(path)
    for source, flags in SOURCES:
        first.pattern(source, flags)
    first.save()
    return path


@pytest.mark.parametrize(("source", "flags"), SOURCES)
def test_a_kept_pattern_is_what_the_interpreter_compiles(source: str, flags: int, tmp_path: Path) -> None:
    again = kept(filled(tmp_path / "patterns")).pattern(source, flags)
    assert again == re.compile(source, flags)
    assert (again.groupindex, again.groups) == (re.compile(source, flags).groupindex, re.compile(source, flags).groups)


def test_nothing_is_written_where_all_was_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "patterns")
    before = path.stat().st_mtime_ns
    second = kept(path)
    second.pattern(*SOURCES[0])
    second.save()
    assert path.stat().st_mtime_ns == before
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("damage", [b"", b"\x00", b"nonsense", None])
def test_a_damaged_file_is_as_good_as_none(damage: bytes | None, tmp_path: Path) -> None:
    path = filled(tmp_path / "patterns")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert kept(path).pattern(*SOURCES[0]) == re.compile(*SOURCES[0])


@pytest.mark.parametrize("writer", [sys.version, leeboard.__version__])
def test_those_of_another_interpreter_or_release_make_room_for_ours(writer: str, tmp_path: Path) -> None:
    path = filled(tmp_path / "patterns")
    path.write_bytes(path.read_bytes().replace(writer.encode(), b"9" * len(writer), 1))
    assert kept(path).pattern(*SOURCES[0]) == re.compile(*SOURCES[0])
    foreign = path.read_bytes()
    filled(path)
    assert path.read_bytes() != foreign


def test_a_folder_that_can_not_be_written_to_changes_nothing(tmp_path: Path) -> None:
    nowhere = kept(tmp_path / "missing" / "patterns")
    assert nowhere.pattern(*SOURCES[1]) == re.compile(*SOURCES[1])
    nowhere.save()
    assert [*tmp_path.iterdir()] == []


def test_a_wrong_pattern_raises_as_ever(tmp_path: Path) -> None:
    with pytest.raises(re.error):
        kept(tmp_path / "patterns").pattern("(", 0)


def test_a_hook_that_judges_by_itself_leaves_them_for_the_next(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    assert process.run(edit("t1", "/repo/src/a.py"), {"LEEBOARD_RESIDENT": "0"}).returncode == 0
    assert Path(patterns_file(_package())).is_file()
