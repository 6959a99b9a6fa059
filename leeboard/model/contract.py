"""What the work promised. Inferred from the human's words here; later also read from a task or yielded by a unit."""

from __future__ import annotations

from typing import Literal

import msgspec

ConstraintKind = Literal["forbid", "only", "must"]


ADD_DEPENDENCY = "add-dependency"
"""Stands among a constraint's programs for every command that installs a new package."""


class Constraint(msgspec.Struct, frozen=True, kw_only=True):
    """A limit on how the work is done, in the human's words and, where it can be checked, as patterns."""

    text: str
    """Normalised to start with DO NOT, ONLY or MUST."""
    kind: ConstraintKind
    patterns: tuple[str, ...] = ()
    """Globs of the paths it speaks of."""
    areas: tuple[str, ...] = ()
    """Area tags it speaks of, such as tests or dependencies."""
    programs: tuple[str, ...] = ()
    """Shell programs it speaks of, such as 'git push'."""

    @property
    def checkable(self) -> bool:
        return bool(self.patterns or self.areas or self.programs)


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """Objective, touch globs, constraints and what we know of the subject."""

    objective: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    keywords: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    wide: bool = False
    """The human asked for it everywhere: a rename, a migration, a clean-up."""
    version: int = 0


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
