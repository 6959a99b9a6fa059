from __future__ import annotations

import pytest

from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.scope import Effects, Run, ShellScope


@pytest.mark.parametrize(
    ("directory", "word", "path"),
    [
        ("", "a/../b", "b"),
        ("", "../b", "../b"),
        ("s", "../../b", "../b"),
        ("/w", "b", "/w/b"),
        ("/w", "//b", "/b"),
        ("/w", HOME + "/b/../../c", "~/../c"),
        ("~/p", "b", "~/p/b"),
        ("~", "..", "~/.."),
        ("", HOME, "~"),
        ("", HOME + "root/x", "~root/x"),
        ("", "~/x", "./~/x"),
        ("/w", "a" + UNKNOWN, None),
        (None, "a", None),
        (None, "/a", "/a"),
    ],
)
def test_a_word_becomes_one_path(directory: str | None, word: str, path: str | None) -> None:
    assert ShellScope(directory).path(word) == path


def test_branches_that_differ_leave_nothing_known() -> None:
    scope = ShellScope("a", {"X": "1", "Y": "2"})
    scope.settle([ShellScope("a", {"X": "1", "Y": "2"}), ShellScope("b", {"X": "1", "Y": "3"})])
    assert (scope.directory, scope.variables) == (None, {"X": "1", "Y": UNKNOWN})


def test_a_copy_does_not_leak() -> None:
    scope = ShellScope("", {"X": "1"})
    other = scope.copy()
    other.directory, other.variables["X"] = "b", "2"
    assert (scope.directory, scope.variables) == ("", {"X": "1"})


def test_devices_are_no_files() -> None:
    effects = Effects()
    Run(effects, ShellScope("")).write("/dev/null", "/dev/fd/3", "/dev/shm/x", "")
    assert [touch.path for touch in effects.touches] == ["/dev/shm/x"]


def test_depth_is_bounded() -> None:
    effects = Effects()
    while effects.enter():
        assert effects.depth < 1_000
    assert effects.opaque


def test_every_program_is_noted_once() -> None:
    """However many stand before it: the last one may be what must not pass. A line has no more than a thousand."""
    effects = Effects()
    for number in range(200):
        effects.note_program(f"p{number % 100}")
    assert len(effects.finished().programs) == 100
