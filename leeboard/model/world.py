"""What a rule may see, and what a prompt of the human changes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import LIFTED_DEED, Allowance, Constraint, Contract, Held
from leeboard.model.event import Event
from leeboard.model.ledger import Mention
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.text import matches
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

    tells_all: bool = False
    """Nobody is interrupted, as by a scan: of one file however much is told, where an agent is told the first few."""
    paused: bool = False
    """A person lets agents work without a word for a while: what is found is on record, and held against nobody."""
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
    own_processes: tuple[int, ...] = ()
    """The guard's own, by their numbers; known only where a line may be about to end one."""

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
    answers: bool = False
    """They answer what the agent was refused or told last: that was the last thing it tried, and what it asks for."""
    grants: bool = False
    """It gives leave to change files, and asks for nothing else: where that ends a limit, the goal stays as it was."""
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
    closing: str = ""
    """The end of what the agent said."""
    unread: int = 0
    """Characters of the call that were not analysed, since it has too many."""
    intent: PromptIntent | None = None

    @property
    def modified(self) -> tuple[str, ...]:
        """Paths that are changed or removed. Giving a file back an older state is no new work."""
        if not self.touches:
            return ()
        return tuple(dict.fromkeys(touch.path for touch in self.touches if touch.kind in {"write", "delete"}))


# Which limits stand after the human spoke: the newest word wins.
#
# Asking for what was forbidden ends the ban, and so does a word that it may stand; a question and a mention do not.

CONSTRAINT_WINDOW = 16
FIRST_LIMITS = 4


def standing_limits(old: Contract, intent: PromptIntent) -> tuple[Constraint, ...]:
    """When there is no room for all, the first few stay (the project's own are among them), then the newest that can be
    checked, then the newest.
    """
    standing = (*_still_standing(old.constraints, intent), *intent.constraints)
    if len(standing) <= CONSTRAINT_WINDOW:
        return standing
    order = sorted(range(len(standing)), key=lambda at: (at >= FIRST_LIMITS, not standing[at].checkable, -at))
    return tuple(standing[at] for at in sorted(order[:CONSTRAINT_WINDOW]))


def _still_standing(constraints: tuple[Constraint, ...], intent: PromptIntent) -> tuple[Constraint, ...]:
    """The human's newest word wins: asking for what was forbidden ends the ban."""
    left = (_left(constraint, intent) for constraint in constraints)
    return tuple(constraint for constraint in left if constraint is not None)


def _left(constraint: Constraint, intent: PromptIntent) -> Constraint | None:
    """What stays of a constraint: all, nothing, or a ban on a part of what it spoke of."""
    if (constraint.until and intent.nods) or (constraint.until == "order" and intent.orders):
        return None
    if constraint.deeds or set(constraint.programs) & set(intent.lifts):
        return _still_forbidden(constraint, set(intent.lifts))
    globs = tuple(lift for lift in intent.lifts if "*" in lift)
    if constraint.kind == "must" or constraint.until == "order":
        return constraint
    if constraint.kind == "only":
        return None if intent.scope or globs else constraint
    if intent.orders and any(matches(path, constraint.patterns) for path in intent.scope):
        return None
    return _without_lifted(constraint, tuple(glob for glob in globs if glob != "**"), set(intent.lifts))


def _still_forbidden(constraint: Constraint, lifts: set[str]) -> Constraint | None:
    """The deeds and the commands that were not asked for; of commands only those it names: `commit` stood for both."""
    if constraint.deeds:
        deeds = tuple(deed for deed in constraint.deeds if f"{LIFTED_DEED}{deed}" not in lifts)
        return replace(constraint, deeds=deeds) if deeds else None
    named = (program for program in constraint.programs if program.rpartition(" ")[2] in constraint.text)
    programs = tuple(program for program in named if program not in lifts)
    return replace(constraint, programs=programs) if programs else None


def _without_lifted(constraint: Constraint, globs: tuple[str, ...], lifts: set[str]) -> Constraint | None:
    areas = tuple(area for area in constraint.areas if area not in lifts)
    covered = {pattern for pattern in constraint.patterns if matches(pattern, globs)}
    if areas == constraint.areas and not covered and not any(matches(glob, constraint.patterns) for glob in globs):
        return constraint
    kept = tuple(pattern for pattern in constraint.patterns if pattern not in covered)
    if not areas and all(pattern.startswith("!") for pattern in kept):
        return None
    freed = tuple(f"!{glob}" for glob in globs) if kept else ()
    return replace(constraint, areas=areas, patterns=tuple(dict.fromkeys((*kept, *freed))))


def without_flagged(constraint: Constraint, paths: tuple[str, ...], words: str) -> Constraint | None:
    """What is left of a limit that was said to be broken: a path goes free, a command or a deed is let pass."""
    if constraint.text not in words:
        return constraint
    if constraint.programs or constraint.deeds:
        return None
    freed = tuple(path if constraint.kind == "only" else f"!{path}" for path in paths)
    return replace(constraint, patterns=(*constraint.patterns, *freed))
