"""What git does to the work tree."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("git status; git log; git diff a; git show HEAD:a; git blame a; git add a; git commit -m x", ""),
    ("git push; git fetch", "network"),
    ("git pull", "network opaque"),
    ("git checkout -- a b", "restore:a restore:b"),
    ("git checkout HEAD~1 -- a", "restore:a"),
    ("git checkout main a.py", "restore:a.py"),
    ("git checkout main", "opaque"),
    ("git checkout a.py", "restore:a.py opaque"),
    ("git checkout .", "opaque"),
    ("git checkout -- .", "opaque"),
    ("git checkout -b new", ""),
    ("git checkout -b new origin/main", "opaque"),
    ("git switch -c new", ""),
    ("git switch main", "opaque"),
    ("git restore a", "restore:a"),
    ("git restore --source HEAD~2 a", "restore:a"),
    ("git restore --staged a", ""),
    ("git restore --staged --worktree a", "restore:a"),
    ("git restore .", "opaque"),
    ("git restore '*.py' a", "restore:a opaque"),
    ("git restore *.py", "opaque"),
    ("git reset HEAD a; git reset --soft HEAD~1", ""),
    ("git reset --hard", "opaque"),
    ("git stash", "opaque"),
    ("git stash pop", "opaque"),
    ("git stash list; git stash show", ""),
    ("git stash push -m x a", "restore:a"),
    ("git clean -fd", "opaque"),
    ("git clean -n", ""),
    ("git clean -f build", "delete:build"),
    ("git mv a b", "delete:a write:b"),
    ("git rm a", "delete:a"),
    ("git rm --cached a", ""),
    ("git apply x.patch", "read:x.patch opaque"),
    ("git apply --check x.patch", "read:x.patch"),
    ("git am x", "opaque"),
    ("git merge x", "opaque"),
    ("git rebase main", "opaque"),
    ("git clone https://h/o/repo.git", "write:repo network"),
    ("git clone git@h:repo.git there", "write:there network"),
    ("git -C sub rm a", "delete:sub/a"),
    ("git -C $X rm a", "opaque"),
    ("git --no-pager diff --output=p", "write:p"),
    ("git archive -o x.zip HEAD", "write:x.zip"),
    ("git config -f a x.y z", "write:a"),
    ("git config -f b --unset x.y; git config --file=c unset x.y", "write:b write:c"),
    ("git config -f a x.y; git config -f b --get x.y z; git config -f c get x.y", "read:a read:b read:c"),
    ("git -c alias.x='rm a' x", "delete:a"),
    ("git -c alias.x='!rm' x a", "delete:a"),
    ("git x", "opaque"),
    ("git worktree list", ""),
    ("git worktree add ../x", "opaque"),
    ("git format-patch -1 --stdout > p", "write:p"),
    ("git some-alias", "opaque"),
    ("git --version", ""),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
