"""What the user asked for, as words a feature can be held against."""

from __future__ import annotations

import pytest

from leeboard.analysis.feature import words_of
from leeboard.model.contract import Contract
from leeboard.model.event import Event
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.speech.requirement import is_asked, is_literal, is_open_ended


def world_of(text: str, keywords: tuple[str, ...] = ()) -> World:
    return World(
        session=Session(id="s", goals=(Goal(text=text, exchange=1),), contract=Contract(keywords=keywords)),
        agent=AgentState(),
        analysis=Analysis(event=Event(session="s")),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("add --json to export", "json"),
        ("export the users", "/api/users/:id"),
        ("add login", "/logout"),
        ("paginate the list", "per-page"),
        ("authorize admins", "/auth"),
        ("add yaml", "json"),
        ("anything", "/"),
    ],
)
def test_asked_for(text: str, name: str) -> None:
    assert is_asked(world_of(text), words_of(name))


def test_keywords_of_the_whole_prompt_count() -> None:
    assert is_asked(world_of("do it", ("webhook",)), words_of("/webhook"))


@pytest.mark.parametrize("name", ["format", "/webhook", "REGION", "audit", "watch"])
def test_not_asked_for(name: str) -> None:
    assert not is_asked(world_of("add --json to the totals"), words_of(name))


@pytest.mark.parametrize(
    "text",
    [
        "add --json, and whatever else while you're at it",
        "add useful options",
        "implement docs/plan.md",
        "do the ticket",
        "build it, you decide",
        "füge json hinzu",
        "work through phase 2 of the plan",
        "polish the export",
    ],
)
def test_open_ended(text: str) -> None:
    assert is_open_ended(world_of(text))


@pytest.mark.parametrize("text", ["add --json to export", "fix the login issue", "make the button blue"])
def test_not_open_ended(text: str) -> None:
    assert not is_open_ended(world_of(text))


def test_the_very_name() -> None:
    assert is_literal(world_of("add --json"), "--json")
    assert not is_literal(world_of("add json"), "--json")
    assert not is_literal(world_of("add json"), "")
    assert is_literal(world_of("GET /users is broken"), "/users")
    assert not is_literal(world_of("fix src/users/list.ts"), "/users")
    assert not is_literal(world_of("add --json-lines"), "--json")
