"""What git commands are told to throw away, in their words alone."""

from __future__ import annotations

import pytest

from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.discard import Discard
from leeboard.shell.losses.git_words import discards


def told(line: str) -> list[Discard]:
    return list(discards(shell_effects(line, "/repo"), "/repo"))


@pytest.mark.parametrize(
    ("line", "kind", "paths"),
    [
        ("git reset --hard", "files", None),
        ("git checkout -- a.py b/", "files", ("a.py", "b/")),
        ("git checkout main -- a.py", "files", ("a.py",)),
        ("git restore .", "files", (".",)),
        ("git switch -f main", "files", None),
        ("git clean -fd", "clean", (".",)),
        ("git worktree remove -f ../x", "worktree", ("../x",)),
    ],
)
def test_files_that_go(line: str, kind: str, paths: tuple[str, ...] | None) -> None:
    assert [(one.kind, one.paths) for one in told(line)] == [(kind, paths)]


def test_where_git_works_is_followed() -> None:
    assert [one.folder for one in told("cd src && git -C ../lib reset --hard")] == ["/repo/lib"]
    assert told("git -C $X reset --hard") == []
    assert told("git --git-dir=/x/.git reset --hard") == []


def test_what_a_rewrite_before_a_push_leaves() -> None:
    (pushed,) = told("git commit --amend --no-edit && git push -f origin main")
    assert (pushed.rewritten, pushed.names, pushed.target) == ("HEAD~1", ("main",), "origin")
    assert told("git rebase main && git push -f")[0].rewritten == "main"
    assert told("git push -f")[0].rewritten is None


def test_a_stash_that_the_line_itself_makes_holds_the_files_of_now() -> None:
    assert [one.kind for one in told("git stash && git stash drop")] == ["files"]
    assert [one.names for one in told("git stash drop stash@{2}")] == [("2",)]


@pytest.mark.parametrize(
    "line",
    [
        "git reset",
        "git checkout -b x",
        "git clean -n",
        "git clean -d",
        "git push",
        "git branch -d x",
        "git reset --hard -h",
    ],
)
def test_what_throws_nothing_away(line: str) -> None:
    assert told(line) == []
