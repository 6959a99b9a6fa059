from __future__ import annotations

import pytest

from leeboard.model.touch import Started
from leeboard.truth.sweep import swept_by_git


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("checkout HEAD .", ["."]),
        ("checkout -- a b", ["a", "b"]),
        ("checkout -b new", []),
        ("switch -f main", [":/"]),
        ("switch main", []),
        ("rm -rf a b", ["a", "b"]),
        ("rm -r a", []),
        ("rm -rf --cached a", []),
        ("read-tree -u --reset HEAD", [":/"]),
        ("read-tree --reset HEAD", []),
        ("checkout-index -f a", ["a"]),
        ("checkout-index -f --stdin", [":/"]),
        ("checkout-index -fa --temp", []),
        ("stash push a", ["a"]),
        ("clean -fd", ["."]),
        ("apply -R", []),
        ("log", []),
        ("", []),
    ],
)
def test_what_a_command_reaches(line: str, expected: list[str]) -> None:
    name, _, rest = line.partition(" ")
    assert swept_by_git(name, rest.split(), ()) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("git diff", [":/"]),
        ("git diff HEAD~2", [":/"]),
        ("git diff HEAD -- a", ["a"]),
        ("git diff ../a", ["../a"]),
        ("git diff --staged", []),
        ("git diff one..other", []),
        ("git show HEAD", []),
        ("cat fix.patch", []),
    ],
)
def test_a_diff_that_is_taken_back(source: str, expected: list[str]) -> None:
    before_it = (Started(words=("ls",)), Started(words=tuple(source.split())))
    assert swept_by_git("apply", ["-R"], before_it) == expected
    assert swept_by_git("apply", ["-R", "-"], before_it) == expected
    assert swept_by_git("apply", [], before_it) == []
    assert swept_by_git("apply", ["-R", "fix.patch"], before_it) == []
