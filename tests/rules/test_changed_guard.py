from __future__ import annotations

from leeboard.model.event import FilesChanged
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Touch
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rules import changed_guard


def found(*, guard: bool) -> list[str]:
    event = FilesChanged(session="s", paths=("/home/.claude/settings.json",), line="while `make` ran", guard=guard)
    analysis = Analysis(event=event, touches=(Touch("/home/.claude/settings.json", "write"),))
    world = World(
        session=Session(id="s"), agent=AgentState(), analysis=analysis, policy=Policy(), workspace=Workspace("/repo")
    )
    return [finding.message for finding in changed_guard.detect(event, world)]


def test_it_names_the_line_wherever_the_file_lies() -> None:
    (text,) = found(guard=True)
    assert text.startswith("/home/.claude/settings.json belongs to the guard and was changed while `make` ran")


def test_what_git_saw_is_not_its_business() -> None:
    assert found(guard=False) == []
