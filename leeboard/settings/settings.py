"""What the user decided, as values: every hook has them, and few have a file to read them from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from leeboard.model.contract import Held
from leeboard.model.policy import Policy

if TYPE_CHECKING:
    from leeboard.settings.model_judge import JudgeSettings
    from leeboard.settings.otel import OtelSettings
    from leeboard.settings.team import TeamSettings

LARGEST = 65_536
"""Bytes of a settings file. The parser's time grows with the square of what is wrong with a larger one."""


class KeepSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Copies of work that is in no commit."""

    enabled: bool = True
    file_mb: int = 5
    """A larger file is noted and not copied."""
    total_mb: int = 100
    """Room for all copies of a work tree; the oldest go."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the user decided."""

    enabled: bool = True
    """Off: nothing is watched, recorded or said."""
    policy: Policy = msgspec.field(default_factory=Policy)
    scope: tuple[str, ...] = ()
    """Globs of what belongs to the work of every session."""
    constraints: tuple[str, ...] = ()
    """Limits every session of the project has, in the user's words."""
    contract: Held | None = None
    """What the work in this tree has promised; None where the file says nothing of it."""
    track: tuple[str, ...] = ()
    """Globs of the files whose changes by others are always told."""
    judge: JudgeSettings | None = None
    """The model that may be asked for a second opinion; None where none is. Only the user's own file has a say."""
    keep: KeepSettings = KeepSettings()
    """How much of a person's work is copied. Only the user's own file has a say."""
    team: TeamSettings | None = None
    """The database that a team shares; None where there is none. Only the user's own file has a say."""
    otel: OtelSettings | None = None
    """Whom the guard tells what it does; None where it is nobody. Only the user's own file has a say."""
    team_limits: tuple[str, ...] = ()
    """Those of the limits that a team's policy set, and nobody else."""
    team_serial: int = 0
    """The serial of the team's policy that was laid over these settings; zero: none was."""
    said: tuple[str, ...] = ()
    """The keys that the file sets, as far as they are valid: `profile`, `rules.circling`, `interrupts.budget`."""


def too_large(path: str, size: int) -> str:
    return f"{path}: not read: it has {size:,} bytes, and settings have at most {LARGEST:,}"
