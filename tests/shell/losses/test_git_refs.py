"""Which branches, tags and remotes a git command moves or removes, by its words."""

from __future__ import annotations

import pytest

from leeboard.shell.losses.discard import GitCommand
from leeboard.shell.losses.git_refs import REF_READERS


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("branch -M a b", [("move", ("b",), "a")]),
        ("branch -M b", [("move", ("b",), "HEAD")]),
        ("branch -m a b", []),
        ("tag -d v1 v2", [("tag", ("v1", "v2"), "")]),
        ("tag v1", []),
        ("fetch . +a:b", [("move", ("b",), "a")]),
        ("fetch origin +a:refs/remotes/origin/a", []),
        ("symbolic-ref refs/heads/b refs/heads/a", [("branch", ("b",), "")]),
        ("symbolic-ref HEAD refs/heads/a", []),
        ("worktree add -B b ../x a", [("move", ("b",), "a")]),
        ("send-pack --force ../r.git a", [("push", ("a",), "../r.git")]),
        ("push origin a", []),
    ],
)
def test_what_is_moved_or_removed(line: str, told: list[tuple[str, tuple[str, ...], str]]) -> None:
    name, *args = line.split()
    found = REF_READERS[name](GitCommand(args=args, folder="/repo"))
    assert [(one.kind, one.names, one.target) for one in found] == told


def test_a_list_of_refs_is_read_where_it_stands_in_the_line() -> None:
    command = GitCommand(
        args=["--stdin"], folder="/repo", handed="delete refs/heads/a\nupdate refs/heads/b c\nverify x\n"
    )
    assert [(one.kind, one.names) for one in REF_READERS["update-ref"](command)] == [
        ("branch", ("a",)),
        ("move", ("b",)),
    ]


def test_the_configuration_may_turn_a_push_into_a_mirror_or_a_forced_one() -> None:
    for key, value in (("remote.origin.mirror", "true"), ("remote.origin.push", "+a:a")):
        command = GitCommand(args=["origin"], folder="/repo", settings={key: value})
        assert len([*REF_READERS["push"](command)]) == 1, key
