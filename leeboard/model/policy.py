"""The judge's numbers. Profiles change what may be done with a verdict, never how an action is scored."""

from __future__ import annotations

from typing import Literal

import msgspec

Profile = Literal["observe", "advise", "enforce"]


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    profile: Profile = "advise"
    """observe: only recorded. advise: spoken, nothing denied. enforce: scores 1-4 and broken constraints are denied."""
    speak_below: int = 8
    deny_below: int = 5
    drifted_below: int = 5
    escalation_max: int = 3
    nudge_room: int = 300
    correction_room: int = 1_200
    idle_seconds: int = 3_600
    """A session without a sign of life for this long counts as abandoned."""
    interrupt_budget: int = 3
    """Interrupts of the classes A to D that may fire in a session; B1 and B2 fire beyond it."""
    cooldown_turns: int = 2
    grace_turns: int = 3
    """Classes C and D stay silent in the first turns."""
    queue_deliveries: int = 3
    """Queued signals that are spoken in a session, one at a pause; the rest stands in the report."""
    disabled_rules: tuple[str, ...] = ()
