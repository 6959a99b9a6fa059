from __future__ import annotations

from pathlib import Path

from leeboard.errors import StateError
from leeboard.surfaces.misses import LIMIT, describe, misses, note_miss, set_aside


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
