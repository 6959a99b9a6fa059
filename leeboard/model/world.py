"""What a detector may see."""

from __future__ import annotations

import msgspec

from leeboard.model.analysis import Analysis
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.workspace import Workspace


class World(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    agent: AgentState
    """The agent that acts, as it was before the action."""
    analysis: Analysis
    policy: Policy
    workspace: Workspace
    allowances: tuple[Allowance, ...] = ()
    held: Held | None = None
    """The explicit contract of the work tree: from a task, the settings or a command. None where there is none."""
    secret_key: bytes = b""
    """What digests of secrets are keyed with: without it nobody can try values against them."""

    @property
    def contract(self) -> Contract:
        return self.session.contract
