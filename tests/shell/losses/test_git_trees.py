"""Which files a git command throws away, by its words."""

from __future__ import annotations

from leeboard.shell.losses.discard import GitCommand
from leeboard.shell.losses.git_trees import READERS


def paths(line: str, handed: str = "", **told: object) -> list[tuple[str, ...] | None]:
    name, *args = line.split()
    command = GitCommand(args=args, folder="/repo", handed=handed, **told)  # type: ignore[arg-type]  # fields of a command
    return [one.paths for one in READERS[name](command)]


def test_paths_that_come_through_the_pipe_are_meant() -> None:
    assert paths("restore --pathspec-from-file=-", "a.py\nb.py\n") == [("a.py", "b.py")]
    assert paths("checkout --pathspec-from-file=list") == [()]


def test_pieces_go_only_where_something_answers() -> None:
    assert paths("checkout -p a.py") == []
    assert paths("checkout -p a.py", is_answered=True) == [("a.py",)]
    assert paths("restore -p .", is_answered=True) == [(".",)]


def test_cleaning_needs_force_unless_the_configuration_says_otherwise() -> None:
    assert paths("clean -d") == []
    assert paths("clean -d", settings={"clean.requireforce": "false"}) == [(".",)]
