"""An agent that ends without saying how its hat came out: the edges."""

from __future__ import annotations

from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.unit import StopProposed
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rules.iteration_owed import detect
from leeboard.testing.scenario import planned
from leeboard.testing.scenario_lines import ROOT


def found(event: StopProposed) -> list[str]:
    work = planned({"phase": "execute", "worked": True}, ROOT)
    event = work.leaving(event)
    world = World(
        session=Session(id="s"),
        agent=AgentState(),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace(ROOT),
        plan_root=ROOT,
        plan=work.plan,
    )
    return [finding.subject for finding in detect(event, world)]


def test_a_sub_agent_owes_it_whatever_it_says() -> None:
    """SH-55: it has nobody to ask."""
    again = StopProposed(session="s", agent="a1", already_blocked=True, text="Which one?")
    assert found(again) == ["unit-01-form"]


def test_the_main_agent_is_told_once_before_it_may_ask() -> None:
    assert found(StopProposed(session="s", text="Which one?")) == ["unit-01-form"]
    assert found(StopProposed(session="s", text="Which one? ", already_blocked=True)) == []
    assert found(StopProposed(session="s", text="Done.", already_blocked=True)) == ["unit-01-form"]
