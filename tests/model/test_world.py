"""What a detector sees."""

from __future__ import annotations

from leeboard.model.contract import Contract
from leeboard.model.event import Event
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World


def test_the_contract_is_the_sessions() -> None:
    session = Session(id="s", contract=Contract(objective="fix it"))
    analysis = Analysis(event=Event(session="s"))
    world = World(session=session, agent=AgentState(), analysis=analysis, policy=Policy(), workspace=Workspace())
    assert world.contract.objective == "fix it"
