from __future__ import annotations

import pytest

from leeboard.model.event import SessionStarted
from leeboard.model.lookup import Around, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.speech.order import asked
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import ROOT, SESSION


@pytest.mark.parametrize(
    ("prompt", "is_asked"),
    [
        ("fix a.py and skip the flaky test for now", True),
        ("skip test_x for now", True),
        ("please disable the test", True),
        ("don't skip any test", False),
        ("fix a.py", False),
    ],
)
def test_any_words_of_the_user_count(prompt: str, is_asked: bool) -> None:  # noqa: FBT001 - a column of the table
    store = MemoryStore()
    session = play((f"@ {prompt}",), store=store).session
    world = World(
        session=session,
        agent=AgentState(),
        analysis=Analysis(event=SessionStarted(session=SESSION)),
        policy=Policy(),
        workspace=Workspace(ROOT),
    )
    assert asked(world, Around(store, SESSION, Tree()), ("skip", "disable"), ("test",)) is is_asked
