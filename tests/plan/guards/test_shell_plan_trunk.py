"""Git commands that bring a workflow's work into a trunk; whole lines stand in test_plan_shell.py."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.guards.shell import merges_request, moved_trunk


@pytest.mark.parametrize(
    ("command", "on_work", "is_here", "trunk"),
    [
        ("push . HEAD:main", 1, 1, "main"),
        ("push . HEAD:main", 0, 1, ""),
        ("push . 0123456789:main", 0, 1, "main"),
        ("push . 0123456789:main", 0, 0, ""),
        ("push . haiku/login/main:main", 0, 0, "main"),
        ("push . HEAD:feature", 1, 1, ""),
        ("push . :main", 1, 1, ""),
        ("push . main", 1, 1, ""),
        ("fetch origin HEAD:main", 1, 1, ""),
        ("branch -f master", 1, 1, "master"),
        ("branch -f master", 0, 1, ""),
        ("branch -f master", 1, 0, ""),
        ("merge haiku/login/main", 0, 0, "the branch of that tree"),
        ("merge haiku/login/main", 1, 1, ""),
        ("", 1, 1, ""),
    ],
)
def test_what_it_moves(command: str, on_work: int, is_here: int, trunk: str) -> None:
    name, *arguments = command.split() or [""]
    assert moved_trunk(name, arguments, on_work=bool(on_work), is_here=bool(is_here)) == trunk


@pytest.mark.parametrize(
    ("line", "merges"),
    [
        ("gh pr merge 3", 1),
        ("/usr/bin/gh pr merge", 1),
        ("gh --repo owner/name pr merge 3 --auto", 1),
        ("glab mr merge 3", 1),
        ("gh api -XPUT repos/owner/name/pulls/3/merge", 1),
        ("gh api --method PUT repos/owner/name/pulls/3/merge", 1),
        ("gh pr merge --help", 0),
        ("gh pr merge 3 --disable-auto", 0),
        ("gh api repos/owner/name/pulls/3/merge", 0),
        ("gh pr view 3", 0),
        ("gh", 0),
        ("git pr merge", 0),
    ],
)
def test_a_forge_is_asked_to_merge(line: str, merges: int) -> None:
    assert merges_request(tuple(line.split())) == bool(merges)


@given(st.sampled_from(["push", "fetch", "branch", "worktree", "merge"]), st.lists(st.text(max_size=12), max_size=5))
def test_no_words_break_it(name: str, arguments: list[str]) -> None:
    moved_trunk(name, arguments, on_work=True, is_here=True)
