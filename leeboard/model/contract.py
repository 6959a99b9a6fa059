"""What the work promised: inferred from the human's words, read from a task or the settings, or given by a command."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from leeboard.model.text import matches

ConstraintKind = Literal["forbid", "only", "must"]
Deed = Literal["create", "delete", "move"]
"""What a limit may forbid to do to files that may be changed otherwise."""
Until = Literal["", "word", "order"]
"""How long a limit stands: until it is lifted; until the user nods ("until I say so"); until they order anything."""
Mode = Literal["core", "harden", "perf", "explore"]
ContractSource = Literal["inferred", "settings", "started", "task", "unit"]
"""Where a contract comes from; all but the first are explicit: somebody wrote them down."""

SCHEMA = 1
MODES: tuple[Mode, ...] = ("core", "harden", "perf", "explore")
PIT_STOP_AFTER = 3


ADD_DEPENDENCY = "add-dependency"
"""Stands among a constraint's programs for every command and every line of a manifest that brings in a package."""
EVERYTHING = "**"
"""Among a constraint's patterns: whatever lies in the work tree."""
LIFTED_DEED = "deed:"
"""What the lift of a deed begins with, among those of a message."""


TEAM_POLICY = "team policy "
"""What the source of a limit begins with that a team's policy sets; its serial follows."""


class Constraint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A limit on how the work is done, in the human's words and, where it can be checked, as patterns."""

    text: str
    """Normalised to start with DO NOT, ONLY or MUST."""
    kind: ConstraintKind
    patterns: tuple[str, ...] = ()
    """Globs of the paths it speaks of."""
    areas: tuple[str, ...] = ()
    """Area tags it speaks of, such as tests or dependencies."""
    programs: tuple[str, ...] = ()
    """Commands it speaks of, such as 'git push', and kinds of command, such as ADD_DEPENDENCY."""
    deeds: tuple[Deed, ...] = ()
    """What it forbids to do to these files; empty: any change."""
    until: Until = ""
    source: str = ""
    """The file and line it stands in, or the team's policy, where it is not the user's own word."""

    @property
    def is_team(self) -> bool:
        return self.source.startswith(TEAM_POLICY)

    @property
    def is_told(self) -> bool:
        """Whether agents hear of it from us: what the project has written down they read for themselves."""
        return not self.source or self.is_team

    @property
    def told(self) -> str:
        """For agents, with the policy that sets it."""
        return f"{self.text} ({self.source})" if self.is_team else self.text

    @property
    def is_sweeping(self) -> bool:
        """Whether it keeps the agent from changing anything at all."""
        return EVERYTHING in self.patterns and not self.deeds and self.kind == "forbid"

    @property
    def checkable(self) -> bool:
        return bool(self.patterns or self.areas or self.programs)


class Contract(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Objective, touch globs, limits, constraints and what we know of the subject."""

    objective: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    keywords: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    wide: bool = False
    """The human asked for it everywhere: a rename, a migration, a clean-up."""
    version: int = 0
    source: ContractSource = "inferred"
    task: str = ""
    """Id of the task it was read from."""
    base: str = ""
    """The commit the work began at: what was changed since is judged. Empty where nobody knows."""
    mode: Mode = "core"
    non_goals: tuple[str, ...] = ()
    touch: tuple[str, ...] = ()
    """Globs the work has to stay inside. Empty: it may touch anything. Stricter than `scope`, which only guides."""
    acceptance: tuple[str, ...] = ()
    """Shell commands that show that the work is done; run on request only."""
    max_files: int | None = None
    max_loc: int | None = None
    pit_stop_after: int = PIT_STOP_AFTER
    """Counted checks in a row that were not green before a pit stop is due; zero: never."""
    auto_followups: bool = True

    @property
    def is_explicit(self) -> bool:
        return self.source != "inferred"


class ContractProblem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a written contract that is not what it has to be. What is valid beside it holds."""

    text: str
    """Names the key, what was found and the nearest valid value."""
    key: str = ""
    line: int = 0
    """The line of the block's body, from one; zero where nobody knows."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A contract as it is kept for a work tree, so that it is found without the session or task it came from."""

    root: str
    contract: Contract
    title: str = ""
    session: str = ""
    table: dict[str, Any] = msgspec.field(default_factory=dict)
    """The contract as it is written, unknown keys too."""
    problems: tuple[ContractProblem, ...] = ()
    active: bool = True
    """Somebody works on it now."""
    updated: float = 0.0


SHARED = "t"
"""The first letter of the id of an allowance that a team has shared."""


class Allowance(msgspec.Struct, frozen=True, kw_only=True):
    """A person's word that a finding may stand."""

    id: str
    rule: str = ""
    """Empty: any rule."""
    path: str = ""
    """A glob; empty: any path."""
    fingerprint: str = ""
    reason: str = ""
    until: float = 0.0
    """Epoch seconds; zero: for good."""
    by: str = ""
    session: str = ""
    """Empty: every session of the project."""

    @property
    def is_shared(self) -> bool:
        """Whether it came from somebody else in the team: those of this machine begin with another letter."""
        return self.id.startswith(SHARED)

    def covers(self, rule: str, place: str, fingerprint: str) -> bool:
        """Whether it speaks of what a rule finds at a place."""
        if self.fingerprint:
            return self.fingerprint == fingerprint
        about_rule = not self.rule or self.rule == rule
        return about_rule and (not self.path or matches(place, (self.path, f"**/{self.path}")))
