"""Git commands that a line names itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.programs.git import alias_of, aliased, is_unreadable, subcommand
from leeboard.shell.understand import understand


@pytest.mark.parametrize(
    ("command", "started"),
    [
        ("git -c alias.x='push . a:main' x", ("git", "push", ".", "a:main")),
        ("git -c alias.x='push .' x a:main", ("git", "push", ".", "a:main")),
        ("git -c ALIAS.X='log -3' x", ("git", "log", "-3")),
        ("git -c alias.x.command='log -3' x", ("git", "log", "-3")),
        ("git -C sub -c alias.x=status x", ("git", "-C", "sub", "status")),
        ("git --git-dir=.git -c alias.x=status x", ("git", "--git-dir=.git", "status")),
        ("git --no-pager -c alias.x=log x", ("git", "--no-pager", "log")),
        ("git -c alias.x='!git push . a:main' x", ("git", "push", ".", "a:main")),
        ("git -c alias.x=y -c alias.y='log -1' x", ("git", "log", "-1")),
        ("git -c alias.x='tag \"a b\"' x", ("git", "tag", "a b")),
    ],
)
def test_what_it_stands_for_is_started(command: str, started: tuple[str, ...]) -> None:
    assert understand(command, "/repo").started[-1].words == started


def test_what_it_stands_for_writes_where_it_is_run() -> None:
    effects = understand("git -C sub -c alias.x='!echo a > b' x", "/repo")
    assert [touch.path for touch in effects.touches] == ["/repo/sub/b"]


@pytest.mark.parametrize(
    ("words", "unreadable"),
    [
        (["-c", f"alias.x={UNKNOWN}", "x"], True),
        (["-c", f"alias.x=push . {UNKNOWN}", "x"], True),
        (["-c", UNKNOWN, "x"], True),
        (["-c", "include.path=/tmp/f", "x"], True),
        (["-c", "alias.x='log", "x"], True),
        (["--config-env=alias.x=NAME", "x"], True),
        (["-c", "alias.x=log", "x"], False),
        (["-c", "alias.x=!", "x"], False),
        (["-c", UNKNOWN, "status"], False),
        (["-c", f"user.name={UNKNOWN}", "x"], False),
        (["-c", f"alias.y={UNKNOWN}", "x"], False),
        (["x"], False),
        ([], False),
    ],
)
def test_whether_it_can_be_read(words: list[str], *, unreadable: bool) -> None:
    name, _, before = subcommand(words)
    assert is_unreadable(name, before) is unreadable


def test_an_alias_does_not_lead_back_to_itself() -> None:
    effects = understand("git -c alias.x=y -c alias.y=x x", "/repo")
    assert [each.words[-1] for each in effects.started] == ["x", "y", "x"]
    assert effects.opaque


def test_the_last_word_counts() -> None:
    _, _, before = subcommand(["-c", "alias.x=log", "-c", "alias.x=status", "x"])
    assert alias_of("x", before) == "status"


@given(st.lists(st.text(max_size=12) | st.sampled_from(["-c", "alias.x=!a", "alias.x=b 'c", "x", "-C"]), max_size=6))
def test_no_words_break_it(words: list[str]) -> None:
    name, rest, before = subcommand(words)
    aliased(name, rest, before)
    is_unreadable(name, before)
