"""What a detector may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from leeboard.model.analysis import Analysis
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.workspace import Workspace

if TYPE_CHECKING:
    from leeboard.model.plan import Plan
    from leeboard.model.unit import Unit


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

    began: float = 0.0
    """When the call that has finished was proposed; zero where nobody knows."""
    plan_root: str = ""
    """The primary work tree where a workflow lives on disk; empty where there is none."""
    plan: Plan | None = None
    """The workflow the agent works in, as far as files tell at a glance; None where none is active."""
    unit: Unit | None = None
    """The unit the agent works on: in its own work tree, or by what it wrote so far."""

    @property
    def contract(self) -> Contract:
        return self.session.contract
