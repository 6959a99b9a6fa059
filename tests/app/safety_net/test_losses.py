"""What looks lost and is not: asked of the search itself, with real git."""

from __future__ import annotations

import pytest

from leeboard.app.safety_net.losses import LossSearch
from leeboard.app.safety_net.note import changed_files, read_note
from tests.netted_repository import NettedRepository


def gone(net: NettedRepository, line: str) -> dict[str, str]:
    net.note()
    note = read_note(net.root)
    assert note is not None
    done = net.run(line)
    assert done.returncode == 0, done
    search = LossSearch(net.root, note.time)
    _, refs = search.gone_refs(note.refs)
    files = search.gone_files(changed_files(note))
    return {one.file.name: one.how for one in files} | {one.name: one.kind for one in refs}


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("rm notes.md", {"notes.md": "is gone"}),
        ("rm notes.md && mkdir notes.md", {"notes.md": "is no file any more"}),
        (": > notes.md", {"notes.md": "is empty"}),
        ("git checkout -q src/app.py", {"src/app.py": "is back at what git has"}),
        ("head -c 200 /dev/urandom > notes.md", {"notes.md": "holds something else"}),
        ("git branch -q -D wip", {"wip": "branch"}),
        ("git branch -q -f wip main", {"wip": "commits"}),
        ("git commit -q -a -m x && git reset -q --hard HEAD~1", {"src/app.py": "is back at what git has"}),
        ("git stash -q && git stash drop -q", {"src/app.py": "is back at what git has"}),
        ("git add notes.md && git commit -q -m x && git checkout -q wip", {}),
        ("echo more >> notes.md && git add notes.md && git commit -q -m x && git checkout -q wip", {}),
        ("git add -A && git mv notes.md moved.md", {}),
        ("git tag kept wip && git branch -q -D wip", {}),
        ("git checkout -q wip && git commit -q --amend -m better && git checkout -q main", {}),
        ("git stash -q && git stash pop -q && git checkout -q wip", {}),
        ("git stash apply -q stash@{0} && git stash drop -q", {}),
    ],
)
def test_lost_and_not_lost(net: NettedRepository, line: str, lost: dict[str, str]) -> None:
    assert gone(net, line) == lost


def test_a_dropped_stash_is_missed_by_its_name(net: NettedRepository) -> None:
    (found,) = gone(net, "git stash drop -q").items()
    assert found[0].startswith("WIP on main")
    assert found[1] == "stash"
