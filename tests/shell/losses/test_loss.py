"""What is made anew, what is temporary, and how little is named."""

from __future__ import annotations

import pytest

from leeboard.model.lookup import NO_FILES
from leeboard.model.unsaved import NOBODY_KNOWS, LoneCommit
from leeboard.shell.losses.loss import LossGround, is_harmless_device, is_made_anew, shown_commits

GROUND = LossGround(
    root="/tmp/work",
    cwd="/tmp/work",
    unsaved=NOBODY_KNOWS,
    files=NO_FILES,
    is_own=lambda _: False,
    made=lambda _: False,
    has_read=lambda _: False,
    committed=lambda time: time == 100.0,
)


@pytest.mark.parametrize("path", ["build/x.js", "a/node_modules", "debug.log", "src/__pycache__", ".coverage", "dist"])
def test_what_programs_make_anew(path: str) -> None:
    assert is_made_anew(f"/r/{path}", "/r")


@pytest.mark.parametrize("path", ["src/a.py", "notes.md", "builder.py", "logs.md", ".env"])
def test_what_nobody_makes_anew(path: str) -> None:
    assert not is_made_anew(f"/r/{path}", "/r")


def test_a_work_tree_below_a_temporary_folder_is_a_work_tree() -> None:
    assert GROUND.is_temporary("/tmp/x")
    assert not GROUND.is_temporary("/tmp")
    assert not GROUND.is_temporary("/tmp/work/notes.md")
    assert not GROUND.is_temporary("/home/kim/x")


def test_commits_of_times_at_which_no_line_of_the_session_ran_are_the_users() -> None:
    commits = tuple(LoneCommit(id=str(time), time=time, author="", subject="") for time in (99.0, 100.0, 101.0))
    assert [one.time for one in GROUND.theirs("/tmp/work", commits)] == [99.0, 101.0]


def test_a_few_are_named_and_the_rest_counted() -> None:
    assert GROUND.shown(tuple(f"/tmp/work/{name}" for name in "abcde")) == "a, b, c and 2 more"
    commit = LoneCommit(id="a" * 40, time=1, author="", subject="fix it")
    assert shown_commits((commit,)) == "aaaaaaaa 'fix it'"


def test_devices() -> None:
    assert is_harmless_device("/dev/null")
    assert not is_harmless_device("/dev/sda")
