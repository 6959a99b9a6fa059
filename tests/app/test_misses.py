from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leeboard.app.misses import LIMIT, describe, hook_folder, misses, misses_at, note_miss, set_aside
from leeboard.errors import StateError


def test_misses_are_read_in_the_order_they_happened(tmp_path: Path) -> None:
    state = str(tmp_path / "not" / "there")
    note_miss(state, "Stop", StateError("the first\nwith a second line"))
    note_miss(state, "", StateError("the second"))
    first, second = misses(state)
    assert first.endswith("Z Stop StateError: the first with a second line")
    assert second.endswith("Z hook StateError: the second")


def test_the_log_stays_small(tmp_path: Path) -> None:
    for number in range(600):
        note_miss(str(tmp_path), "Stop", StateError(f"{number} " + "x" * 1000))
    kept = misses(str(tmp_path))
    assert " 599 x" in kept[-1]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 3 * LIMIT
    assert all(len(line) <= 400 for line in kept)


def test_only_our_own_errors_may_speak_freely() -> None:
    """What an agent sent could be in any other message, and with it a secret."""

    def fail() -> None:
        raise KeyError("sk-secret")

    try:
        fail()
    except KeyError as failure:
        told = describe(failure)
    assert "secret" not in told
    assert told.startswith("KeyError in test_misses.py:")
    assert describe(ValueError("sk-secret")) == "ValueError in an unknown place"
    assert describe(FileNotFoundError(2, "gone", "/a")) == "FileNotFoundError: gone: /a"


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    note_miss(str(tmp_path / "file"), "Stop", StateError("lost"))
    assert misses(str(tmp_path / "file")) == []
    assert misses("a\0b") == []


def test_a_log_that_is_set_aside_is_whole_and_no_longer_told(tmp_path: Path) -> None:
    for number in range(200):
        note_miss(str(tmp_path), "Stop", StateError(f"{number} " + "x" * 1000))
    before = misses(str(tmp_path))
    aside = Path(set_aside(str(tmp_path)))
    assert misses(str(tmp_path)) == []
    assert aside.read_text(encoding="utf-8").splitlines() == before
    assert aside.stat().st_mode & 0o077 == 0


def test_a_miss_is_told_in_its_own_repository_alone(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / ".git" / "HEAD").write_text("")
        (tmp_path / name / "src").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "one" / "src")
    note_miss(state, "Stop", StateError("of nobody"))
    note_miss(state, "Stop", StateError("below"), str(tmp_path / "one" / "src"))
    note_miss(state, "Stop", StateError("at the top"), str(tmp_path / "two"))
    note_miss(state, "Stop", StateError("by a link"), str(tmp_path / "link"))
    told = [[line.rpartition(": ")[2] for line in misses_at(state, str(tmp_path / name))] for name in ("one", "two")]
    assert told == [["of nobody", "below", "by a link"], ["of nobody", "at the top"]]
    assert len(misses(state)) == 4


@pytest.mark.parametrize("name", ["with a space", "tab\there", "line\nthere", "odd \udcff", "\u2028", "quo'te"])
def test_a_folder_of_any_name_is_known_again(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    note_miss(str(tmp_path), "Stop", StateError("x" * 1000), str(folder))
    (line,) = misses_at(str(tmp_path), str(folder))
    assert line.endswith("xxx")
    assert misses_at(str(tmp_path), str(tmp_path)) == []
    assert len(misses(str(tmp_path))[0]) <= 400


def test_a_folder_whose_name_has_no_room_belongs_to_nobody(tmp_path: Path) -> None:
    note_miss(str(tmp_path), "Stop", StateError("kept"), "/" + "/".join(["long" * 20] * 10))
    assert misses_at(str(tmp_path), "/elsewhere")[0].endswith("StateError: kept")
    note_miss(str(tmp_path), "Stop", StateError("kept too"), "/a\0b")
    assert misses_at(str(tmp_path), "/elsewhere")[-1].endswith("StateError: kept too")


def test_what_names_no_folder_belongs_where_its_process_runs(tmp_path: Path) -> None:
    assert hook_folder("/told", 0) == "/told"
    assert hook_folder("", os.getpid()) == hook_folder("relative", os.getpid()) == os.getcwd()  # noqa: PTH109 - the same
    assert hook_folder("", 0) == ""
    with subprocess.Popen(("cat",), cwd=tmp_path, stdin=subprocess.PIPE) as asking:
        found = hook_folder("", asking.pid)
        assert found == (str(tmp_path.resolve()) if Path("/proc/self/cwd").exists() else "")
    assert hook_folder("", asking.pid) == ""
