"""Whose a noted file is, told by when it was changed; and what is missed until it lies there again."""

from __future__ import annotations

import pytest

from leeboard.app.safety_net.note import NotedFile, add_pause
from leeboard.app.safety_net.put_back import record_losses
from leeboard.app.safety_net.whose import NotedWork, Whose
from leeboard.model.session import Session
from tests.netted_repository import NOTES, NettedRepository

SESSION = Session(id="s", started=100.0)


@pytest.mark.parametrize(
    ("times", "theirs", "own"),
    [
        ((150.0,), False, True),
        ((99.0,), False, False),
        ((150.0, 205.0), False, False),
        ((150.0,), True, False),
        ((), False, False),
    ],
)
def test_what_came_to_be_while_the_session_worked_is_its_own(
    net: NettedRepository, times: tuple[float, ...], *, theirs: bool, own: bool
) -> None:
    add_pause(net.root, "s", 200.0, 210.0)
    file = NotedFile(b"notes.md", (1, 1, 1), "untracked", times=times, theirs=theirs)
    assert Whose(net.root, SESSION).is_own(file) is own


def test_what_was_noted_is_told_and_missed_only_while_it_is_away(net: NettedRepository) -> None:
    net.note()
    work = NotedWork(net.root, lambda: None)
    assert work.is_theirs(f"{net.root}/notes.md")
    assert not work.is_theirs(f"{net.root}/README.md")
    net.run("rm notes.md")
    record_losses(net.root, [NotedFile(b"notes.md", (1, 1, 1), "untracked")], (), 1.0, "")
    assert work.missed() == frozenset({"notes.md"})
    net.git.write("notes.md", NOTES)
    assert work.missed() == frozenset()
