"""What a person asked for in so many words, and what only sounds like it."""

from __future__ import annotations

import pytest

from leeboard.model.event import PromptGiven
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.speech.asked_for import is_asked_for


def world(text: str) -> World:
    session = Session(id="s", goals=(Goal(text=text, exchange=1),))
    return World(
        session=session,
        agent=AgentState(),
        analysis=Analysis(event=PromptGiven(session="s", text=text)),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("Discard my local changes.", "changes", ()),
        ("please run git reset --hard", "changes", ()),
        ("Delete notes.md", "file", ("/repo/notes.md",)),
        ("remove the legacy parser", "file", ("/repo/src/legacy_parser.py",)),
        ("force-push it when the rebase is done", "push", ("feature",)),
        ("Rebase on main and push.", "push", ("feature",)),
        ("clean up the untracked files", "untracked", ()),
        ("drop the stash", "stash", ()),
        ("write the token to ~/.netrc", "outside", ("~/.netrc",)),
    ],
)
def test_asked_for(text: str, kind: str, names: tuple[str, ...]) -> None:
    assert is_asked_for(world(text), kind, names)


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("Don't discard my changes.", "changes", ()),
        ("Reset the password form.", "changes", ()),
        ("Fix notes.md", "file", ("/repo/notes.md",)),
        ("Never force push.", "push", ("main",)),
        ("why did you git reset --hard?", "changes", ()),
        ("remove the button", "file", ("/repo/notes.md",)),
        ("clean up the code", "untracked", ()),
        ("Clean up the repository a little.", "untracked", ("notes.md",)),
        ("Delete the unused config files.", "untracked", ("notes.md",)),
        ("fix the login in src/login.py", "outside", ("/etc/login.py",)),
    ],
)
def test_not_asked_for(text: str, kind: str, names: tuple[str, ...]) -> None:
    assert not is_asked_for(world(text), kind, names)
