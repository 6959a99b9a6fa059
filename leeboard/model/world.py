"""What a rule may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from leeboard.model.contract import Allowance, Constraint, Contract, Held
from leeboard.model.event import Event
from leeboard.model.ledger import Mention
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Touch
from leeboard.model.workspace import Workspace

if TYPE_CHECKING:
    from leeboard.model.own_rule import OwnRule
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
    own_rules: tuple[OwnRule, ...] = ()
    """What the people of the project wrote themselves, where it is trusted."""
    unit: Unit | None = None
    """The unit the agent works on: in its own work tree, or by what it wrote so far."""

    @property
    def contract(self) -> Contract:
        return self.session.contract


# What `analysis` makes of an event, once. Its texts are redacted: they are the only texts that are kept.


class PromptIntent(msgspec.Struct, frozen=True, kw_only=True):
    """What a human message asks for."""

    text: str
    wanted: str = ""
    """The whole of it, but for what it rules out."""
    steers: bool = True
    """False for a nod or a remark: the goal stays as it was."""
    scope: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    lifts: tuple[str, ...] = ()
    """Programs, areas, globs and deeds the human now asks for or allows, which ends an earlier ban; `**`: anywhere."""
    nods: bool = False
    """It says yes to what was shown or asked."""
    permits: bool = False
    """It says so in words that let pass what was refused: `yes`, `that's fine`; not `thanks`."""
    undoes: bool = False
    """It asks to take back what was done."""
    orders: bool = True
    """False for a question: what held until the next order holds on."""
    keywords: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    wide: bool = False
    """It asks for something everywhere."""


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    event: Event
    touches: tuple[Touch, ...] = ()
    """Spelled relative to the work tree."""
    unnamed: tuple[str, ...] = ()
    """Patterns of paths that a shell line deletes without naming each of them."""
    opaque: bool = False
    unsure: bool = False
    """True for a call that may change files nobody can name, for all that anybody knows. Opaque ones are among them."""
    programs: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    words: tuple[str, ...] = ()
    """Distinctive identifiers of an edit."""
    subjects: tuple[str, ...] = ()
    """Ledger terms of what the changed paths and the edit speak of."""
    digest: str = ""
    """The digest of the edit, or of a failing output: equal digests are the same thing again."""
    reverse: str = ""
    """Digest the edit that takes this one back would have."""
    echo: str = ""
    """A call that came back: what was asked and what came of it, as digests; equal echoes are the same once more."""
    command: str = ""
    text: str = ""
    unread: int = 0
    """Characters of the call that were not analysed, since it has too many."""
    intent: PromptIntent | None = None

    @property
    def modified(self) -> tuple[str, ...]:
        """Paths that are changed or removed. Giving a file back an older state is no new work."""
        return tuple(dict.fromkeys(touch.path for touch in self.touches if touch.kind in {"write", "delete"}))
