"""The one builder of the world that rules see: what holds for a run, around one event of one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from leeboard.model.analysis import Analysis
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.pin import Pin
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.surroundings import Tree
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import LoadedRule

if TYPE_CHECKING:
    from leeboard.model.plan import Plan
    from leeboard.model.unit import Unit


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every event of a run."""

    workspace: Workspace
    policy: Policy
    rules: tuple[LoadedRule, ...] = ()
    pin: Pin | None = None
    """What the session is held to from here on."""
    allowances: tuple[Allowance, ...] = ()
    given: Contract = Contract()
    """What the project's settings promise for every session."""
    held: Held | None = None
    """The explicit contract of the work tree."""
    tree: Tree = Tree()
    secret_key: bytes = b""
    plan_root: str = ""
    """Where a workflow lives on disk."""
    plan: Plan | None = None
    unit: Unit | None = None


def world_of(analysis: Analysis, session: Session, setting: Setting) -> World:
    """The world around an event, with the agent that it is of."""
    return World(
        session=session,
        agent=session.agent(analysis.event.agent),
        analysis=analysis,
        policy=setting.policy,
        workspace=setting.workspace,
        allowances=setting.allowances,
        held=setting.held,
        secret_key=setting.secret_key,
        plan_root=setting.plan_root,
        plan=setting.plan,
        unit=setting.unit,
    )
